import KinfolkWebServices
import NIOCore
import NIOHTTP1

/// One request and its answer.
struct Exchange {
    /// What becomes of the body.
    enum Intake {
        case whole(WebRequest.Head, limit: Int)
        case upload(any WebUpload)
        /// It passes.
        case unread(WebRequest.Head)
        /// The answer does not need it, and is sent when the request has ended.
        case answer(WebResponse)
        /// The answer was sent, or is being sent.
        case discard
    }

    let operation: Operation
    let method: HTTPMethod
    /// The minor version of HTTP/1.
    let minor: Int
    let started: NIODeadline
    /// Whether the client, and the request, allow further requests on the connection.
    var keepsAlive: Bool
    var intake: Intake
    var body: [UInt8] = []
    /// The bytes of the body that arrived, in all and in this period.
    var received = 0
    var receivedInPeriod = 0
    /// The part of the memory for bodies that this one takes, and for whom it counts.
    var takenMemory = 0
    var holder: BodyMemory.Holder
    var hasEnded = false
    /// Whether a service was asked, and has not answered.
    var isWaiting = false
    var status = 0
    var sent = 0
    /// What to call when the answer was given to the connection.
    var whenSent: (@Sendable () -> Void)?

    var isHEAD: Bool { method == .HEAD }

    init(
        _ operation: Operation,
        _ method: HTTPMethod,
        minor: Int,
        keepsAlive: Bool,
        intake: Intake,
        holder: BodyMemory.Holder
    ) {
        self.operation = operation
        self.method = method
        self.minor = minor
        self.keepsAlive = keepsAlive
        self.intake = intake
        self.holder = holder
        started = .now()
    }
}
