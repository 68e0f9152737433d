import KinfolkModel

/// Creates contacts from the tokens of jCards: `["vcard", [["fn", {}, "text", "Ada"], …]]` (RFC 7095, section 3).
///
/// A card may be nested in any other JSON, such as an array of cards or the response of a directory (`vcardArray`, RFC 9083).
struct JCardParser {
    private enum Property {
        case email
        case formattedName
        case name
        case other

        init(_ name: Span<UInt8>) {
            if name.isASCII("email") {
                self = .email
            } else if name.isASCII("fn") {
                self = .formattedName
            } else if name.isASCII("n") {
                self = .name
            } else {
                self = .other
            }
        }
    }

    private(set) var report = ContactImport(format: .jCard)
    /// Whether there was any token.
    private(set) var hasContent = false

    private var depth = 0
    /// Whether the next value is the first of an array.
    private var isFirst = false
    private var card: OpenJCard?
    /// The number of values begun so far in the card, in the property and in its structured value. The last two are nil outside
    /// of those.
    private var cardIndex = 0
    private var isInProperties = false
    private var propertyIndex: Int?
    private var componentIndex: Int?
    private var property = Property.other

    mutating func read(
        _ token: JSONTokens.Token,
        _ text: Span<UInt8>,
        _ line: Int,
        into book: inout ContactBook
    ) throws(KinfolkError) {
        hasContent = true
        switch token {
        case .key:
            return
        case .endArray, .endObject:
            depth -= 1
            isFirst = false
            end(&book)
        case .invalid:
            dropCard(.invalidJSON, line: line, &book)
        case .incomplete:
            dropCard(card == nil ? .invalidJSON : .cardWithoutEnd, line: card?.line ?? line, &book)
        case .beginArray, .beginObject:
            if let level { begin(isArray: token == .beginArray, level) }
            depth += 1
            isFirst = token == .beginArray
        case .scalar:
            if let level { pass(level) }
            isFirst = false
        case .string(let isCut):
            if let level {
                try read(text, level, line, isCut: isCut, into: &book)
            } else if isFirst, text.isASCII("vcard") {
                beginCard(line, book)
            }
            isFirst = false
        }
    }

    // MARK: - Cards

    private mutating func beginCard(_ line: Int, _ book: ContactBook) {
        card = OpenJCard(depth: depth, line: line, book: book, report: report)
        report.entries += 1
        cardIndex = 1
        isInProperties = false
        propertyIndex = nil
        componentIndex = nil
    }

    private mutating func endCard(_ book: inout ContactBook) {
        guard let card = card.take() else { return }
        if !card.hasAddress { report.withoutEmail += 1 }
        book.setLabel(card.label, for: card.firstContact..<book.count)
    }

    /// Removes everything that the open card added, if there is one: it may be cut off in the middle of an address.
    private mutating func dropCard(_ reason: SkipReason, line: Int, _ book: inout ContactBook) {
        if let card = card.take() {
            book.rewind(to: card.mark)
            report = card.report
            report.entries += 1
        }
        report.skip(reason, line: line)
    }

    // MARK: - Position of a value

    /// How many brackets are open within the card; nil outside of cards.
    private var level: Int? { card.map { depth - $0.depth } }

    /// An array or object begins at this level of the card.
    private mutating func begin(isArray: Bool, _ level: Int) {
        switch level {
        case 0: isInProperties = isArray && cardIndex == 1
        case 1 where isInProperties:
            propertyIndex = isArray ? 0 : nil
            property = .other
            return
        case 2 where isArray && (propertyIndex ?? 0) >= 3:
            componentIndex = 0
            propertyIndex? += 1
            return
        default: break
        }
        pass(level)
    }

    /// Counts a value at its level.
    private mutating func pass(_ level: Int) {
        switch level {
        case 0: cardIndex += 1
        case 2: propertyIndex? += 1
        case 3: componentIndex? += 1
        default: break
        }
    }

    /// An array or object has ended.
    private mutating func end(_ book: inout ContactBook) {
        switch level {
        case .some(-1): endCard(&book)
        case .some(0): isInProperties = false
        case .some(1): propertyIndex = nil
        case .some(2): componentIndex = nil
        default: break
        }
    }

    private mutating func read(
        _ text: Span<UInt8>,
        _ level: Int,
        _ line: Int,
        isCut: Bool,
        into book: inout ContactBook
    ) throws(KinfolkError) {
        defer { pass(level) }
        guard let propertyIndex else { return }
        switch level {
        case 2 where propertyIndex == 0:
            property = Property(text)
        case 2 where propertyIndex >= 3:
            try take(text, component: 0, line, isCut: isCut, into: &book)
        case 3:
            guard let componentIndex else { return }
            try take(text, component: componentIndex, line, isCut: isCut, into: &book)
        case 4:
            // One of several values of a component. The component was already counted when its array began.
            guard let componentIndex else { return }
            try take(text, component: componentIndex - 1, line, isCut: isCut, into: &book)
        default: break
        }
    }

    // MARK: - Values

    private mutating func take(
        _ text: Span<UInt8>,
        component: Int,
        _ line: Int,
        isCut: Bool,
        into book: inout ContactBook
    ) throws(KinfolkError) {
        switch property {
        case .other:
            return
        case .formattedName:
            Windows1252.withRepaired(text) { card?.takeFormattedName($0) }
        case .name:
            Windows1252.withRepaired(text) { card?.takeName($0, component: component) }
        case .email:
            guard !isCut else {
                card?.hasAddress = true
                return report.skip(.valueTooLong, line: line)
            }
            let count = try Windows1252.withRepaired(text) { (text) throws(KinfolkError) in
                try report.addValue(text, line: line, to: &book)
            }
            if count > 0 { card?.hasAddress = true }
        }
    }
}
