import KinfolkWebServices
import NIOConcurrencyHelpers

/// A file of so many bytes as the query says. With `,broken` behind the number, it cannot be read after the first piece.
final class ProbeFile: WebFile {
    let size: Int
    private let isBroken: Bool
    private let sent = NIOLockedValueBox(0)

    init(_ query: String) {
        let parts = query.split(separator: ",")
        size = parts.first.flatMap { Int($0) } ?? 0
        isBroken = parts.count > 1
    }

    func read(_ completion: @escaping @Sendable ([UInt8]?) -> Void) {
        let piece = sent.withLockedValue { sent -> [UInt8]? in
            if isBroken, sent > 0 { return nil }
            let count = min(100_000, size - sent)
            defer { sent += count }
            return (sent..<sent + count).map { UInt8(truncatingIfNeeded: $0 % 251) }
        }
        completion(piece)
    }
}
