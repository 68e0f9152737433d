public import KinfolkModel

/// What a person was shown when they decided about being found. It is stored as the proof of consent.
public struct ConsentWording: Hashable, Sendable {
    /// The text that the person was shown; at most 16,384 bytes.
    public let text: String
    /// The application's identifier of that text, for example `2026-01`; at most 255 bytes.
    public let version: String

    /// Creates a wording.
    ///
    /// - Parameters:
    ///   - text: The text that the person was shown.
    ///   - version: The application's identifier of that text.
    public init(_ text: String, version: String) {
        self.text = text
        self.version = version
    }
}

extension ConsentWording {
    package func validate(for decision: Discoverability) throws(KinfolkError) {
        guard text.utf8.count <= 16_384, version.utf8.count <= 255 else {
            throw KinfolkError(.limitExceeded, "A wording has at most 16,384 bytes, and its version at most 255.")
        }
        guard decision != .granted || !(text.isEmpty || version.isEmpty) else {
            throw KinfolkError(
                .invalidArgument,
                "A grant needs the wording that the person was shown, and its version."
            )
        }
    }

    /// The bytes to seal: the length of the version (one byte), the version, the text.
    package var bytes: [UInt8] { [UInt8(truncatingIfNeeded: version.utf8.count)] + version.utf8 + text.utf8 }

    package init(bytes: [UInt8]) {
        let split = min(1 + Int(bytes.first ?? 0), bytes.count)
        self.init(
            String(decoding: bytes[split...], as: UTF8.self),
            version: String(decoding: bytes[..<split].dropFirst(), as: UTF8.self)
        )
    }
}

extension ConsentWording: Redacted {}

#if !KINFOLK_BLOCKING
extension ConsentWording: Codable {}
#endif
