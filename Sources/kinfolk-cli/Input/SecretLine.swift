import Glibc
import Kinfolk

/// A secret line, in memory that is locked against swapping where the system allows it, and zeroed after use.
final class SecretLine {
    private static let limit = 1_024

    private let buffer = UnsafeMutableRawPointer.allocate(byteCount: SecretLine.limit, alignment: 1)
    private var count = 0

    /// Reads a line, without the line end; nil if `isInterrupted` returns true after a signal.
    ///
    /// It reads byte by byte, and leaves the rest of the input to the next reader.
    init?(from descriptor: Int32, isInterrupted: () -> Bool = { false }) throws(KinfolkError) {
        mlock(buffer, SecretLine.limit)
        while true {
            var byte: UInt8 = 0
            let got = read(descriptor, &byte, 1)
            if got < 0 && errno == EINTR {
                guard !isInterrupted() else { return nil }
                continue
            }
            guard got >= 0 else { throw KinfolkError(.serviceUnavailable, "The passphrase could not be read.") }
            guard got > 0, byte != UInt8(ascii: "\n") else { return }
            guard count < SecretLine.limit else {
                throw KinfolkError(.limitExceeded, "A passphrase has at most \(SecretLine.limit) bytes.")
            }
            buffer.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
            count += 1
        }
    }

    deinit {
        explicit_bzero(buffer, SecretLine.limit)
        munlock(buffer, SecretLine.limit)
        buffer.deallocate()
    }

    var isEmpty: Bool { count == 0 }

    func isSame(as other: SecretLine) -> Bool { bytes.elementsEqual(other.bytes) }

    /// The key that is made from it.
    var key: KeySource { .passphrase(bytes) }

    private var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: buffer, count: count) }
}
