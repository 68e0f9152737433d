import Kinfolk

/// A server change token as a text, in hexadecimal.
enum TokenText {
    /// With a line end.
    static let maximumLength = 2 * ServerChangeToken.maximumLength + 2

    static func hexadecimal(_ token: ServerChangeToken) -> String { Hexadecimal.text(token.bytes) }

    /// The token in a text, which may have a line end; nil if it is empty.
    ///
    /// - Parameter source: Where the text is from, for the error.
    static func token(
        _ text: some BidirectionalCollection<UInt8>,
        from source: String
    ) throws(KinfolkError) -> ServerChangeToken? {
        var digits = text[...]
        while let last = digits.last, [0x0a, 0x0d, 0x20].contains(last) { digits = digits.dropLast() }
        guard !digits.isEmpty else { return nil }
        guard let bytes = Hexadecimal.bytes(Array(digits)), bytes.count <= ServerChangeToken.maximumLength else {
            throw KinfolkError(.invalidArgument, "\(source) holds no server change token.")
        }
        return try ServerChangeToken(bytes: bytes)
    }
}
