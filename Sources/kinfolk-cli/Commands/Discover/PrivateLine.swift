import Glibc
import Kinfolk

/// One direction of the line between the two halves of a private discovery: a pipe. Data goes through it in pieces; each starts
/// with its kind (a byte) and its length (4 bytes, big-endian).
final class PrivateLine: Sendable {
    /// The longest piece: an answer of 64 MiB and its frame.
    private static let longest = 65 << 20

    private let reader: Int32
    private let writer: Int32

    init() throws(KinfolkError) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else {
            throw KinfolkError(.serviceUnavailable, "The system could not create a pipe.")
        }
        (reader, writer) = (ends[0], ends[1])
    }

    deinit { close(reader) }

    /// Closes the writing end: nothing more will come. Called once.
    func end() { close(writer) }

    func send(_ kind: UInt8, _ bytes: [UInt8]) throws(KinfolkError) {
        var piece = [kind]
        withUnsafeBytes(of: UInt32(clamping: bytes.count).bigEndian) { piece.append(contentsOf: $0) }
        piece += bytes
        var rest = piece[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(writer, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw PrivateLine.broken }
            rest = rest.dropFirst(count)
        }
    }

    /// The next piece; nil at the end.
    func receive() throws(KinfolkError) -> (kind: UInt8, bytes: [UInt8])? {
        guard let header = try read(5) else { return nil }
        let length = header.dropFirst().reduce(0) { $0 << 8 | Int($1) }
        guard length <= PrivateLine.longest, let bytes = try read(length) else { throw PrivateLine.broken }
        return (header[0], bytes)
    }

    /// Reads exactly `count` bytes. Nil if the pipe ends before the first of them.
    private func read(_ count: Int) throws(KinfolkError) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = bytes.withUnsafeMutableBytes { bytes in
                Glibc.read(reader, bytes.baseAddress.map { $0 + done }, count - done)
            }
            if got < 0 && errno == EINTR { continue }
            if got == 0 && done == 0 { return nil }
            guard got > 0 else { throw PrivateLine.broken }
            done += got
        }
        return bytes
    }

    private static var broken: KinfolkError {
        KinfolkError(.internalError, "The other side of the discovery has ended.")
    }
}
