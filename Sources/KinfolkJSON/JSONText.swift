/// Reads one JSON text (RFC 8259) from bytes.
package struct JSONText {
    /// Why a text is not JSON, and where.
    package struct Fault: Error {
        package let reason: String
        /// From 1, in bytes.
        package let column: Int
    }

    private static let few = 12

    private let bytes: ArraySlice<UInt8>
    private var position: Int
    private let maximumDepth: Int
    /// How many more values there may be.
    private var room: Int
    private let readsHugeNumbers: Bool
    private var depth = 0

    /// The value in the bytes.
    ///
    /// - Parameters:
    ///   - maximumDepth: How many brackets may be within brackets. A record needs five.
    ///   - maximumCount: How many values there may be, with those within others. Each takes some 50 bytes of memory.
    ///   - readsHugeNumbers: Whether a whole number of more than 64 bits is a floating-point number, as JavaScript writes it.
    package static func value(
        in bytes: ArraySlice<UInt8>,
        maximumDepth: Int = 16,
        maximumCount: Int = .max,
        readsHugeNumbers: Bool = false
    ) throws(Fault) -> JSON {
        var text = JSONText(
            bytes: bytes,
            position: bytes.startIndex,
            maximumDepth: maximumDepth,
            room: maximumCount,
            readsHugeNumbers: readsHugeNumbers
        )
        let value = try text.value()
        text.skipSpace()
        guard text.position == bytes.endIndex else { throw text.fault("there is something after the value") }
        return value
    }

    private var next: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

    private func fault(_ reason: String) -> Fault { Fault(reason: reason, column: position - bytes.startIndex + 1) }

    private mutating func skipSpace() {
        while let next, [0x20, 0x09, 0x0a, 0x0d].contains(next) { position += 1 }
    }

    /// Skips space, and the byte after it if it is `byte`.
    private mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func value() throws(Fault) -> JSON {
        skipSpace()
        guard room > 0 else { throw fault("there are too many values") }
        room -= 1
        switch next {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case nil: throw fault("the text ends where a value is expected")
        default: return try number()
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSON) throws(Fault) -> JSON {
        let isHere = word.withUTF8Buffer { bytes[position...].starts(with: $0) }
        guard isHere else { throw fault("this is no value") }
        position += word.utf8CodeUnitCount
        return value
    }

    // MARK: Objects and arrays

    private mutating func enter() throws(Fault) {
        guard depth < maximumDepth else { throw fault("the brackets are nested too deeply") }
        depth += 1
        position += 1
    }

    private mutating func object() throws(Fault) -> JSON {
        try enter()
        var members: [(String, JSON)] = []
        // Few names are compared one by one, many by their hashes.
        var names: Set<String> = []
        repeat {
            if members.isEmpty, take(UInt8(ascii: "}")) { return leave(.object([])) }
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw fault("the name of a member is expected") }
            let name = try string()
            if members.count == JSONText.few { names = Set(members.map(\.0)) }
            let isNew = members.count < JSONText.few ? !members.contains { $0.0 == name } : names.insert(name).inserted
            guard isNew else { throw fault("two members have the same name") }
            guard take(UInt8(ascii: ":")) else { throw fault("a colon is expected") }
            members.append((name, try value()))
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { throw fault("a comma or } is expected") }
        return leave(.object(members))
    }

    private mutating func array() throws(Fault) -> JSON {
        try enter()
        var elements: [JSON] = []
        repeat {
            if elements.isEmpty, take(UInt8(ascii: "]")) { return leave(.array([])) }
            elements.append(try value())
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "]")) else { throw fault("a comma or ] is expected") }
        return leave(.array(elements))
    }

    private mutating func leave(_ value: JSON) -> JSON {
        depth -= 1
        return value
    }

    // MARK: Numbers

    private mutating func number() throws(Fault) -> JSON {
        let start = position
        if next == UInt8(ascii: "-") { position += 1 }
        let first = position
        guard skipDigits() else { throw unexpected(at: start) }
        guard bytes[first] != UInt8(ascii: "0") || position == first + 1 else {
            throw unexpected(at: start, "a number does not begin with 0")
        }
        var isWhole = true
        if next == UInt8(ascii: ".") {
            isWhole = false
            position += 1
            guard skipDigits() else { throw unexpected(at: start, "a digit is missing in this number") }
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            isWhole = false
            position += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
            guard skipDigits() else { throw unexpected(at: start, "a digit is missing in this number") }
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isWhole {
            if let number = Int64(text) { return .integer(number) }
            guard readsHugeNumbers else { throw unexpected(at: start, "this whole number has more than 64 bits") }
        }
        guard let number = Double(text), number.isFinite else {
            throw unexpected(at: start, "this number is out of range")
        }
        return .double(number)
    }

    /// Whether there was a digit.
    private mutating func skipDigits() -> Bool {
        let start = position
        while let next, (0x30...0x39).contains(next) { position += 1 }
        return position > start
    }

    private mutating func unexpected(at start: Int, _ reason: String = "this is no value") -> Fault {
        position = start
        return fault(reason)
    }

    // MARK: Strings

    private mutating func string() throws(Fault) -> String {
        let start = position
        position += 1
        var text: [UInt8] = []
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw unexpected(at: start, "this text is not UTF-8")
                }
                return string
            case UInt8(ascii: "\\"):
                position += 1
                text += try escaped().utf8
            case 0..<0x20: throw fault("a control character in a text is not escaped")
            default:
                text.append(byte)
                position += 1
            }
        }
        throw unexpected(at: start, "this text does not end")
    }

    /// The character after a backslash.
    private mutating func escaped() throws(Fault) -> String {
        guard let byte = next else { throw fault("the text ends after a backslash") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return String(UnicodeScalar(byte))
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return String(try scalar())
        default:
            position -= 1
            throw fault("this escape does not exist")
        }
    }

    /// The character after `\u`, which may be a pair of surrogates.
    private mutating func scalar() throws(Fault) -> Unicode.Scalar {
        let start = position
        let first = try codeUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        if (0xd800..<0xdc00).contains(first), bytes[position...].starts(with: [0x5c, 0x75]) {
            position += 2
            let second = try codeUnit()
            if (0xdc00..<0xe000).contains(second),
                let scalar = Unicode.Scalar(0x1_0000 + (first - 0xd800) << 10 + (second - 0xdc00))
            {
                return scalar
            }
        }
        throw unexpected(at: start, "half of a pair of surrogates is missing")
    }

    private mutating func codeUnit() throws(Fault) -> UInt32 {
        let digits = bytes[position...].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ UnicodeScalar($0).properties.isASCIIHexDigit }),
            let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw fault("four hexadecimal digits are expected") }
        position += 4
        return value
    }
}
