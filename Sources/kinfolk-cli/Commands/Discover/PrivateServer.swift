import Kinfolk
import KinfolkThreads

/// The server's half of a private discovery: it sees the requests and the store, and never the contact book.
final class PrivateServer: Sendable {
    /// The kind of a piece.
    enum Kind {
        /// A message of `docs/private-discovery.md`, or its answer.
        static let message = UInt8(ascii: "m")
        /// A user record ID, or the name of its person: given name, a zero byte, family name.
        static let name = UInt8(ascii: "n")
        /// Nobody has that ID, or its person is hidden.
        static let nobody = UInt8(ascii: "0")
        /// An error: the code (a byte), seconds to wait (8 bytes), and the reason.
        static let failure = UInt8(ascii: "!")
    }

    /// Nil once the server has ended. Its thread must not be the one that closes the service: the end of the process would stop it.
    private let session: Lock<Session?>
    private let requests: PrivateLine
    private let answers: PrivateLine

    init(session: Session, requests: PrivateLine, answers: PrivateLine) {
        self.session = Lock(session)
        self.requests = requests
        self.answers = answers
    }

    /// Answers requests until the client closes the line.
    func run() {
        if let session = session.withLock(\.self) { answerAll(with: session) }
        answers.end()
        session.withLock { $0 = nil }
    }

    /// Waits until the server has ended.
    func join() { _ = session.withLock(when: { $0 == nil }, until: .never) { _ in } }

    private func answerAll(with session: Session) {
        while let (kind, bytes) = try? requests.receive() {
            let answer: (kind: UInt8, bytes: [UInt8])
            do throws(KinfolkError) {
                answer =
                    try kind == Kind.name ? name(of: bytes, session) : (Kind.message, session.answer(bytes, threads: 0))
            } catch {
                answer = (Kind.failure, PrivateServer.bytes(of: error))
            }
            guard (try? answers.send(answer.kind, answer.bytes)) != nil else { return }
        }
    }

    private func name(of id: [UInt8], _ session: Session) throws(KinfolkError) -> (UInt8, [UInt8]) {
        let record = try UserRecordID(String(decoding: id, as: UTF8.self))
        guard let name = try session.discover(record)?.name else { return (Kind.nobody, []) }
        return (Kind.name, Array(name.givenName.utf8) + [0] + Array(name.familyName.utf8))
    }

    private static func bytes(of error: KinfolkError) -> [UInt8] {
        let wait = withUnsafeBytes(of: (error.retryAfter ?? -1).bitPattern.bigEndian, Array.init)
        return [UInt8(truncatingIfNeeded: error.code.rawValue)] + wait + Array(error.reason.utf8)
    }

    /// The error that came through the line.
    static func error(_ bytes: [UInt8]) -> KinfolkError {
        let code = KinfolkError.Code(rawValue: Int32(bytes.first ?? 0)) ?? .internalError
        let wait = Double(bitPattern: bytes.dropFirst().prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
        let reason = String(decoding: bytes.dropFirst(9), as: UTF8.self)
        return KinfolkError(code, reason, retryAfter: wait < 0 ? nil : wait)
    }
}
