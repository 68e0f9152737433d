import KinfolkModel

/// Splits JSON (RFC 8259) that arrives in pieces into tokens. The input may contain several JSON texts in sequence.
///
/// Memory is bounded: strings are truncated to 64 KiB, and nesting deeper than 64 brackets is refused. Nesting causes no
/// recursion.
struct JSONTokens {
    enum Token: Equatable {
        case beginArray
        case endArray
        case beginObject
        case endObject
        /// The name of a member.
        case key
        case string(isCut: Bool)
        /// A number, `true`, `false` or `null`.
        case scalar
        /// The text is not JSON from here on. No other token follows.
        case invalid
        /// The text ends within a string or brackets. No other token follows.
        case incomplete
    }

    static let maximumStringByteCount = 1 << 16
    static let maximumDepth = 64

    private enum Mode {
        case between
        case inString
        case afterBackslash
        /// Within `\uXXXX`: the number of digits read so far.
        case inEscape(Int)
        case inScalar
        case failed
    }

    private enum Expected {
        case value
        case valueOrEnd
        case keyOrEnd
        case key
        case colon
        case commaOrEnd
    }

    private var mode = Mode.between
    private var expected = Expected.value
    private(set) var depth = 0
    /// One bit for each open bracket, the innermost in the lowest bit: 1 for an object, 0 for an array.
    private var objects: UInt64 = 0
    private var string: [UInt8] = []
    private var isCut = false
    private var escape: UInt16 = 0
    private var highSurrogate: UInt16?
    private var firstLine = 1
    private var line = 1
    private var isAfterCarriageReturn = false

    /// Whether the text read so far ends within a string or brackets.
    private var isIncomplete: Bool {
        switch mode {
        case .between, .inScalar: depth > 0
        case .failed: false
        case .inString, .afterBackslash, .inEscape: true
        }
    }

    /// Calls `body` with each token that ends in this piece, the text of a key or string, and the line where the token begins.
    mutating func push(
        _ text: Span<UInt8>,
        _ body: (Token, Span<UInt8>, _ line: Int) throws(KinfolkError) -> Void
    ) throws(KinfolkError) {
        ReadingSteps.take(text.count)
        var index = 0
        while index < text.count {
            switch mode {
            case .failed:
                return
            case .inString:
                index = try readString(text, from: index, body)
            case .afterBackslash:
                try readEscape(text[index], body)
                index += 1
            case .inEscape(let digits):
                try readEscapeDigit(text[index], digits, body)
                index += 1
            case .inScalar:
                guard Self.isScalar(text[index]) else {
                    try endValue(.scalar, body)
                    continue
                }
                index += 1
            case .between:
                try readMark(text[index], body)
                index += 1
            }
        }
    }

    /// Calls `body` with the last token if only the end of the text ends it, and with ``Token/incomplete`` if the text is cut off.
    mutating func finish(
        _ body: (Token, Span<UInt8>, _ line: Int) throws(KinfolkError) -> Void
    ) throws(KinfolkError) {
        if case .inScalar = mode { try endValue(.scalar, body) }
        guard isIncomplete else { return }
        string.removeAll()
        try body(.incomplete, string.span, line)
    }

    // MARK: - Between values

    private mutating func readMark(
        _ byte: UInt8,
        _ body: (Token, Span<UInt8>, Int) throws(KinfolkError) -> Void
    ) throws(KinfolkError) {
        noteLine(byte)
        switch (byte, expected) {
        case (0x20, _), (0x09, _), (0x0A, _), (0x0D, _):
            return
        // A byte-order mark, present where files were joined.
        case (0xEF, _) where depth == 0, (0xBB, _) where depth == 0, (0xBF, _) where depth == 0:
            return
        case (UInt8(ascii: "["), .value), (UInt8(ascii: "["), .valueOrEnd):
            try open(isObject: false, body)
        case (UInt8(ascii: "{"), .value), (UInt8(ascii: "{"), .valueOrEnd):
            try open(isObject: true, body)
        case (UInt8(ascii: "]"), .valueOrEnd),
            (UInt8(ascii: "]"), .commaOrEnd) where !isInObject:
            try close(.endArray, body)
        case (UInt8(ascii: "}"), .keyOrEnd),
            (UInt8(ascii: "}"), .commaOrEnd) where isInObject:
            try close(.endObject, body)
        case (UInt8(ascii: ","), .commaOrEnd):
            expected = isInObject ? .key : .value
        case (UInt8(ascii: ":"), .colon):
            expected = .value
        case (UInt8(ascii: "\""), .value), (UInt8(ascii: "\""), .valueOrEnd), (UInt8(ascii: "\""), .key),
            (UInt8(ascii: "\""), .keyOrEnd):
            beginString()
        case (_, .value), (_, .valueOrEnd):
            guard Self.isScalar(byte) else { return try fail(body) }
            firstLine = line
            string.removeAll(keepingCapacity: true)
            mode = .inScalar
        default:
            try fail(body)
        }
    }

    private var isInObject: Bool { depth > 0 && objects & 1 == 1 }

    private mutating func open(
        isObject: Bool,
        _ body: (Token, Span<UInt8>, Int) throws(KinfolkError) -> Void
    ) throws(KinfolkError) {
        guard depth < Self.maximumDepth else { return try fail(body) }
        depth += 1
        objects = objects << 1 | (isObject ? 1 : 0)
        expected = isObject ? .keyOrEnd : .valueOrEnd
        string.removeAll(keepingCapacity: true)
        try body(isObject ? .beginObject : .beginArray, string.span, line)
    }

    private mutating func close(
        _ token: Token,
        _ body: (Token, Span<UInt8>, Int) throws(KinfolkError) -> Void
    ) throws(KinfolkError) {
        depth -= 1
        objects >>= 1
        string.removeAll(keepingCapacity: true)
        firstLine = line
        try endValue(token, body)
    }

    private mutating func endValue(
        _ token: Token,
        _ body: (Token, Span<UInt8>, Int) throws(KinfolkError) -> Void
    ) throws(KinfolkError) {
        mode = .between
        expected = depth == 0 ? .value : .commaOrEnd
        try body(token, string.span, firstLine)
    }

    private mutating func fail(_ body: (Token, Span<UInt8>, Int) throws(KinfolkError) -> Void) throws(KinfolkError) {
        mode = .failed
        string.removeAll()
        try body(.invalid, string.span, line)
    }

    /// Numbers and words are not validated, because contacts do not use them.
    private static func isScalar(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
            || byte == UInt8(ascii: ".")
    }

    private mutating func noteLine(_ byte: UInt8) {
        if byte == 0x0D || byte == 0x0A && !isAfterCarriageReturn { line += 1 }
        isAfterCarriageReturn = byte == 0x0D
    }

    // MARK: - Strings

    private mutating func beginString() {
        mode = .inString
        string.removeAll(keepingCapacity: true)
        isCut = false
        highSurrogate = nil
        firstLine = line
    }

    /// Reads bytes that have no special meaning, and the byte after them. Returns the index after both.
    private mutating func readString(
        _ text: Span<UInt8>,
        from start: Int,
        _ body: (Token, Span<UInt8>, Int) throws(KinfolkError) -> Void
    ) throws(KinfolkError) -> Int {
        var end = start
        while end < text.count, text[end] >= 0x20, text[end] != UInt8(ascii: "\""), text[end] != UInt8(ascii: "\\") {
            end += 1
        }
        if end > start { append(text.extracting(start..<end)) }
        guard end < text.count else { return end }
        switch text[end] {
        case UInt8(ascii: "\""):
            endHighSurrogate()
            try endString(body)
        case UInt8(ascii: "\\"):
            mode = .afterBackslash
        case let byte:
            // JSON does not allow control characters here. They are accepted because some programs write line breaks in notes.
            noteLine(byte)
            append(text.extracting(end..<end + 1))
        }
        return end + 1
    }

    private mutating func endString(
        _ body: (Token, Span<UInt8>, Int) throws(KinfolkError) -> Void
    ) throws(KinfolkError) {
        switch expected {
        case .key, .keyOrEnd:
            mode = .between
            expected = .colon
            try body(.key, string.span, firstLine)
        default:
            try endValue(.string(isCut: isCut), body)
        }
    }

    private mutating func readEscape(
        _ byte: UInt8,
        _ body: (Token, Span<UInt8>, Int) throws(KinfolkError) -> Void
    ) throws(KinfolkError) {
        mode = .inString
        switch byte {
        case UInt8(ascii: "u"):
            escape = 0
            mode = .inEscape(0)
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): append(byte)
        case UInt8(ascii: "b"): append(0x08)
        case UInt8(ascii: "f"): append(0x0C)
        case UInt8(ascii: "n"): append(0x0A)
        case UInt8(ascii: "r"): append(0x0D)
        case UInt8(ascii: "t"): append(0x09)
        default: try fail(body)
        }
    }

    private mutating func readEscapeDigit(
        _ byte: UInt8,
        _ digits: Int,
        _ body: (Token, Span<UInt8>, Int) throws(KinfolkError) -> Void
    ) throws(KinfolkError) {
        guard let digit = Hexadecimal.value(byte) else { return try fail(body) }
        escape = escape << 4 | UInt16(digit)
        guard digits == 3 else {
            mode = .inEscape(digits + 1)
            return
        }
        mode = .inString
        appendEscape()
    }

    /// An unpaired surrogate becomes U+FFFD.
    private mutating func appendEscape() {
        let unit = escape
        if let high = highSurrogate, (0xDC00...0xDFFF).contains(unit) {
            highSurrogate = nil
            let value = 0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(unit) - 0xDC00)
            return append(Unicode.Scalar(value) ?? "\u{FFFD}")
        }
        endHighSurrogate()
        if (0xD800...0xDBFF).contains(unit) {
            highSurrogate = unit
        } else {
            append(Unicode.Scalar(unit) ?? "\u{FFFD}")
        }
    }

    private mutating func endHighSurrogate() {
        guard highSurrogate != nil else { return }
        highSurrogate = nil
        append("\u{FFFD}" as Unicode.Scalar)
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        guard let bytes = UTF8.encode(scalar) else { return }
        for byte in bytes { append(byte) }
    }

    private mutating func append(_ byte: UInt8) {
        endHighSurrogate()
        if string.count < Self.maximumStringByteCount { string.append(byte) } else { isCut = true }
    }

    private mutating func append(_ part: Span<UInt8>) {
        endHighSurrogate()
        let room = Self.maximumStringByteCount - string.count
        isCut = isCut || part.count > room
        string.append(part.extracting(0..<min(room, part.count)))
    }
}
