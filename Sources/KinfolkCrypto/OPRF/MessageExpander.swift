/// expand_message_xmd with SHA-512 (RFC 9380, section 5.3.1), for 64 bytes under one domain separation tag.
struct MessageExpander: Sendable {
    static let length = SHA512.length

    /// The hash of the leading block of zeros, which all messages share.
    private let begun: SHA512
    /// DST_prime: the tag and its length.
    private let tag: [UInt8]

    init(tag: [UInt8]) {
        var begun = SHA512()
        begun.update([UInt8](repeating: 0, count: SHA512.blockLength))
        self.begun = begun
        // All tags of RFC 9497 are far below the 255 bytes that a length of one byte allows.
        self.tag = tag + [UInt8(truncatingIfNeeded: tag.count)]
    }

    /// Writes to the 64 bytes at `output`. `message` feeds the message into the hash.
    func expand(into output: UnsafeMutablePointer<UInt8>, _ message: (inout SHA512) -> Void) {
        var first = begun
        message(&first)
        first.update(number: MessageExpander.length)
        first.update(byte: 0)
        first.update(tag)
        first.finish(into: output)
        // 64 bytes are a single block of output: b_1.
        var second = SHA512()
        second.update(output, count: SHA512.length)
        second.update(byte: 1)
        second.update(tag)
        second.finish(into: output)
    }
}
