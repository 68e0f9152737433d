import KinfolkModel

/// Divides a schema text into words and signs. It reads each byte once.
struct SchemaScanner {
    /// The comment after `INT64` that makes the field a boolean. For CloudKit it is a comment as any other.
    static let booleanMark = "kinfolk: boolean"

    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    private var column = 1

    /// - Throws: ``KinfolkError/Code/limitExceeded`` if the text is too long.
    init(_ text: String) throws(KinfolkError) {
        guard text.utf8.count <= SchemaLimits.text else {
            throw KinfolkError(.limitExceeded, "A schema text has at most \(SchemaLimits.text) bytes.")
        }
        bytes = Array(text.utf8)
        // A byte order mark, which some editors write.
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { index = 3 }
    }

    private var position: SchemaPosition { SchemaPosition(line: line, column: column) }

    /// The next token.
    mutating func next() throws(KinfolkError) -> SchemaToken {
        let isMarked = try skipSpace()
        let start = position
        func token(_ kind: SchemaToken.Kind) -> SchemaToken {
            SchemaToken(kind: kind, position: start, followsBooleanMark: isMarked)
        }
        guard let byte = peek() else { return token(.end) }
        switch byte {
        case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "<"),
            UInt8(ascii: ">"):
            advance()
            return token(.sign(byte))
        case UInt8(ascii: "\""): return token(.quoted(try quoted(from: start)))
        case _ where SchemaScanner.isOfName(byte): return token(.word(word()))
        case 0x21...0x7e: throw start.error("\"\(Unicode.Scalar(byte))\" is not expected here.")
        default: throw start.error("names have only ASCII letters, digits and _.")
        }
    }

    private mutating func word() -> String {
        let start = index
        while let byte = peek(), SchemaScanner.isOfName(byte) { advance() }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func quoted(from start: SchemaPosition) throws(KinfolkError) -> String {
        advance()
        let name = word()
        guard peek() == UInt8(ascii: "\"") else {
            guard let byte = peek(), byte != UInt8(ascii: "\n") else { throw start.error("the quote is not closed.") }
            throw position.error("a name in quotes has only ASCII letters, digits and _.")
        }
        advance()
        return name
    }

    // MARK: Space and comments

    /// Skips white space and comments.
    ///
    /// - Returns: Whether the mark of a boolean was among the comments.
    private mutating func skipSpace() throws(KinfolkError) -> Bool {
        var isMarked = false
        while let byte = peek() {
            switch byte {
            case UInt8(ascii: " "), 0x09...0x0d: advance()
            case UInt8(ascii: "-") where peek(1) == byte: skipLine()
            case UInt8(ascii: "/") where peek(1) == byte: skipLine()
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): isMarked = try skipComment() || isMarked
            default: return isMarked
            }
        }
        return isMarked
    }

    private mutating func skipLine() {
        while let byte = peek(), byte != UInt8(ascii: "\n") { advance() }
    }

    /// Skips a comment, and returns whether it is the mark of a boolean.
    private mutating func skipComment() throws(KinfolkError) -> Bool {
        let start = position
        advance()
        advance()
        let first = index
        while let byte = peek() {
            if byte == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
                let content = bytes[first..<index].split(separator: UInt8(ascii: " "), omittingEmptySubsequences: true)
                advance()
                advance()
                return content.elementsEqual(SchemaScanner.markWords, by: { $0.elementsEqual($1) })
            }
            advance()
        }
        throw start.error("the comment is not closed.")
    }

    private static let markWords = booleanMark.split(separator: " ").map { Array($0.utf8) }

    // MARK: Bytes

    private func peek(_ distance: Int = 0) -> UInt8? {
        let position = index + distance
        return position < bytes.count ? bytes[position] : nil
    }

    private mutating func advance() {
        guard let byte = peek() else { return }
        ReadingSteps.take(1)
        index += 1
        if byte == UInt8(ascii: "\n") {
            line += 1
            column = 1
        } else if peek().map({ $0 & 0xc0 != 0x80 }) ?? true {
            // The next byte begins another scalar.
            column += 1
        }
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x5f, 0x61...0x7a: true
        default: false
        }
    }
}
