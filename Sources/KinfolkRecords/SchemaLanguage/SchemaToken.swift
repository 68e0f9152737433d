/// A word or a sign of a schema text.
struct SchemaToken: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        /// A keyword, or a name without quotes.
        case word(String)
        /// A name in quotes.
        case quoted(String)
        /// One of `( ) , ; < >`.
        case sign(UInt8)
        /// The end of the text.
        case end
    }

    let kind: Kind
    let position: SchemaPosition
    /// Whether the comment that marks a boolean is before it.
    let followsBooleanMark: Bool

    func isWord(_ keyword: String) -> Bool {
        if case .word(let word) = kind {
            word.utf8.count == keyword.utf8.count && word.uppercased() == keyword
        } else {
            false
        }
    }

    func isSign(_ sign: Unicode.Scalar) -> Bool { kind == .sign(UInt8(ascii: sign)) }

    /// The token as an error shows it.
    var shown: String {
        switch kind {
        case .word(let text), .quoted(let text): text.utf8.count <= 64 ? "\"\(text)\"" : "a very long name"
        case .sign(let byte): "\"\(Unicode.Scalar(byte))\""
        case .end: "the end of the text"
        }
    }
}
