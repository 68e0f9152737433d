/// Divides the text of a predicate into tokens. It reads each byte once.
struct PredicateScanner {
    private let bytes: [UInt8]
    private var index = 0
    /// Of the next byte, in Unicode scalars from 1.
    private var position = 1

    /// - Throws: ``KinfolkError/Code/limitExceeded`` if the text is too long.
    init(_ text: String) throws(KinfolkError) {
        guard text.utf8.count <= QueryLimits.text else {
            throw KinfolkError(.limitExceeded, "The text of a predicate has at most \(QueryLimits.text) bytes.")
        }
        bytes = Array(text.utf8)
    }

    /// The next token.
    mutating func next() throws(KinfolkError) -> PredicateToken {
        while let byte = peek(), byte == 0x20 || (0x09...0x0d).contains(byte) { advance() }
        let start = position
        func token(_ kind: PredicateToken.Kind) -> PredicateToken { PredicateToken(kind: kind, position: start) }
        guard let byte = peek() else { return token(.end) }
        switch byte {
        case _ where PredicateScanner.beginsName(byte): return token(.word(word()))
        case UInt8(ascii: "'"), UInt8(ascii: "\""): return token(.value(.string(try quoted(by: byte, from: start))))
        case UInt8(ascii: "%"): return token(try placeholder(from: start))
        case UInt8(ascii: "#"):
            advance()
            guard let first = peek(), PredicateScanner.beginsName(first) else {
                throw error("the name of a field follows #.", at: start)
            }
            return token(.name(name()))
        case _ where beginsNumber(): return token(.value(try number(from: start)))
        default: return token(.sign(try sign(from: start)))
        }
    }

    // MARK: Words

    /// A name, or a selector such as `distanceToLocation:fromLocation:`.
    private mutating func word() -> String {
        let start = index
        while let byte = peek(), PredicateScanner.isOfName(byte) || byte == UInt8(ascii: ":") { advance() }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func name() -> String {
        let start = index
        while let byte = peek(), PredicateScanner.isOfName(byte) { advance() }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    /// `%@`, `%K`, or the conversion of a number as in printf.
    private mutating func placeholder(from start: Int) throws(KinfolkError) -> PredicateToken.Kind {
        advance()
        let first = peek()
        advance()
        switch first {
        case UInt8(ascii: "@"): return .argument
        case UInt8(ascii: "K"): return .nameArgument
        case UInt8(ascii: "d"), UInt8(ascii: "i"), UInt8(ascii: "u"), UInt8(ascii: "f"), UInt8(ascii: "g"):
            return .numberArgument
        case UInt8(ascii: "l"):
            if peek() == UInt8(ascii: "l") { advance() }
            let last = peek()
            advance()
            if [UInt8(ascii: "d"), UInt8(ascii: "i"), UInt8(ascii: "u"), UInt8(ascii: "f")].contains(last) {
                return .numberArgument
            }
        default: break
        }
        throw error(
            "% is followed by @ for a value, by K for the name of a field, or by d or f for a number.",
            at: start
        )
    }

    // MARK: Texts

    private mutating func quoted(by quote: UInt8, from start: Int) throws(KinfolkError) -> String {
        advance()
        var text: [UInt8] = []
        while let byte = peek() {
            if byte == UInt8(ascii: "\\") {
                text += try escape()
                continue
            }
            advance()
            if byte == quote { return String(decoding: text, as: UTF8.self) }
            text.append(byte)
        }
        throw error("the quote is not closed.", at: start)
    }

    private static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "\\"): UInt8(ascii: "\\"), UInt8(ascii: "'"): UInt8(ascii: "'"),
        UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0c,
        UInt8(ascii: "n"): 0x0a, UInt8(ascii: "r"): 0x0d, UInt8(ascii: "t"): 0x09, UInt8(ascii: "v"): 0x0b,
    ]

    private mutating func escape() throws(KinfolkError) -> [UInt8] {
        let start = position
        advance()
        let letter = peek()
        advance()
        if let letter, let byte = PredicateScanner.escapes[letter] { return [byte] }
        guard letter == UInt8(ascii: "u"), let first = hexadecimal() else {
            throw error(
                "after a backslash there is \\, a quote, one of b f n r t v, or u with four hexadecimal digits.",
                at: start
            )
        }
        // Scalars above U+FFFF are written as two surrogates, as in JSON.
        if (0xd800..<0xdc00).contains(first), peek() == UInt8(ascii: "\\"), peek(1) == UInt8(ascii: "u") {
            advance()
            advance()
            if let second = hexadecimal(), (0xdc00..<0xe000).contains(second),
                let scalar = Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
            {
                return Array(String(Character(scalar)).utf8)
            }
        }
        guard let scalar = Unicode.Scalar(first) else { throw error("this is half of a character.", at: start) }
        return Array(String(Character(scalar)).utf8)
    }

    /// Four digits.
    private mutating func hexadecimal() -> UInt32? {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = peek().flatMap(Hexadecimal.value) else { return nil }
            value = value << 4 | UInt32(digit)
            advance()
        }
        return value
    }

    // MARK: Numbers

    /// Whether a digit is next, or signs and a point that a digit follows.
    private func beginsNumber() -> Bool {
        var distance = 0
        if let sign = peek(), sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { distance += 1 }
        if peek(distance) == UInt8(ascii: ".") { distance += 1 }
        return peek(distance).map(PredicateScanner.isDigit) ?? false
    }

    /// A whole number, or a double if there is a point or an exponent.
    private mutating func number(from start: Int) throws(KinfolkError) -> FieldValue {
        let first = index
        var isWhole = true
        if let sign = peek(), sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { advance() }
        skipDigits()
        if peek() == UInt8(ascii: "."), peek(1).map(PredicateScanner.isDigit) ?? false {
            isWhole = false
            advance()
            skipDigits()
        }
        if let letter = peek(), letter | 0x20 == UInt8(ascii: "e") {
            isWhole = false
            advance()
            if let sign = peek(), sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { advance() }
            guard peek().map(PredicateScanner.isDigit) ?? false else { throw malformedNumber(at: start) }
            skipDigits()
        }
        if let next = peek(), PredicateScanner.isOfName(next) || next == UInt8(ascii: ".") {
            throw malformedNumber(at: start)
        }
        // Long enough for every double in full, so that nobody makes a library convert a very long number.
        guard index - first <= 1_100 else { throw error("a number has at most 1,100 characters.", at: start) }
        let text = String(decoding: bytes[first..<index], as: UTF8.self)
        if isWhole, let value = Int64(text) { return .int64(value) }
        guard !isWhole else {
            throw error("a whole number is from -2^63 to 2^63 - 1; with .0 at its end it is a double.", at: start)
        }
        guard let value = Double(text), value.isFinite else { throw error("the number is too large.", at: start) }
        return .double(value)
    }

    private mutating func skipDigits() {
        while let byte = peek(), PredicateScanner.isDigit(byte) { advance() }
    }

    private func malformedNumber(at start: Int) -> KinfolkError {
        error("a number has decimal digits, and may have a sign, a point and an exponent, as in -1.5e3.", at: start)
    }

    // MARK: Signs

    private static func sign(_ first: UInt8, _ second: UInt8) -> PredicateToken.Sign? {
        switch (Unicode.Scalar(first), Unicode.Scalar(second)) {
        case ("=", "="): .equal
        case ("!", "="), ("<", ">"): .notEqual
        case ("<", "="), ("=", "<"): .lessOrEqual
        case (">", "="), ("=", ">"): .greaterOrEqual
        case ("&", "&"): .and
        case ("|", "|"): .or
        default: nil
        }
    }

    private static let shortSigns: [UInt8: PredicateToken.Sign] = [
        UInt8(ascii: "="): .equal, UInt8(ascii: "<"): .less, UInt8(ascii: ">"): .greater, UInt8(ascii: "!"): .not,
        UInt8(ascii: "("): .open, UInt8(ascii: ")"): .close, UInt8(ascii: "{"): .openList,
        UInt8(ascii: "}"): .closeList, UInt8(ascii: "["): .openModifiers, UInt8(ascii: ","): .comma,
    ]

    private mutating func sign(from start: Int) throws(KinfolkError) -> PredicateToken.Sign {
        if let first = peek(), let second = peek(1), let sign = PredicateScanner.sign(first, second) {
            advance()
            advance()
            return sign
        }
        if let sign = peek().flatMap({ PredicateScanner.shortSigns[$0] }) {
            advance()
            return sign
        }
        switch peek() {
        case UInt8(ascii: "$"): throw error("there are no variables: use %@ and an argument.", at: start)
        case UInt8(ascii: "."), UInt8(ascii: "@"):
            throw error("a query names only fields of the record itself, without key paths and operators.", at: start)
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "/"):
            throw error("there is no arithmetic: calculate the value, and give it as an argument.", at: start)
        default: throw error("this character is not expected outside of quotes.", at: start)
        }
    }

    // MARK: Bytes

    private func peek(_ distance: Int = 0) -> UInt8? {
        let place = index + distance
        return place < bytes.count ? bytes[place] : nil
    }

    private mutating func advance() {
        guard index < bytes.count else { return }
        ReadingSteps.take(1)
        index += 1
        // The next byte begins another scalar, unless it continues this one.
        if peek().map({ $0 & 0xc0 != 0x80 }) ?? true { position += 1 }
    }

    private func error(_ problem: String, at position: Int) -> KinfolkError { QueryFault(problem).error(at: position) }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func beginsName(_ byte: UInt8) -> Bool { isOfName(byte) && !isDigit(byte) }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x5f, 0x61...0x7a: true
        default: false
        }
    }
}
