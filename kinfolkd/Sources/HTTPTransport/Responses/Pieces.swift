import KinfolkWebServices
import NIOCore

/// The rest of an answer that is sent in pieces.
struct Pieces {
    enum Source {
        /// Bytes that were not sent yet.
        case bytes(ByteBuffer)
        case file(any WebFile)
        case events(any WebEvents)
    }

    static let size = 64 << 10
    /// The most bytes of a file that wait for a client.
    static let largestRead = 320 << 10
    /// Pieces that may be on their way to the client, so that one is read while another is sent.
    static let window = 2

    var source: Source
    /// The bytes that are missing; nil for events.
    var missing: Int?
    var inFlight = 0
    var isReading = false
    var hasEnded = false

    var wantsMore: Bool { !hasEnded && !isReading && inFlight < Pieces.window }
}
