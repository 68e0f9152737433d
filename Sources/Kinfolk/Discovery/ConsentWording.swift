import KinfolkCrypto

/// What a person was shown when they decided about being found. It is kept as the proof of consent.
public struct ConsentWording: Hashable, Sendable {
    /// The text that the person was shown; at most 16,384 bytes.
    public let text: String
    /// The application's name for that text, `2026-01` for example; at most 255 bytes.
    public let version: String

    public init(_ text: String, version: String) {
        self.text = text
        self.version = version
    }
}

extension ConsentWording {
    func validate(for decision: Discoverability) throws(KinfolkError) {
        guard text.utf8.count <= 16_384, version.utf8.count <= 255 else {
            throw KinfolkError(.limitExceeded, "A wording has at most 16,384 bytes, and its version 255.")
        }
        guard decision != .granted || !(text.isEmpty || version.isEmpty) else {
            throw KinfolkError(
                .invalidArgument,
                "A grant needs the wording that the person was shown, and its version."
            )
        }
    }

    /// The same for the same wording: the hash of version and text.
    var id: [UInt8] {
        var digest = [UInt8](repeating: 0, count: SHA256.length)
        let content = Array(version.utf8) + [0] + Array(text.utf8)
        content.withUnsafeBytes { bytes in digest.withUnsafeMutableBytes { SHA256.hash(bytes, into: $0) } }
        return digest
    }
}
