import KinfolkModel

/// Creates contacts from the properties of cards.
struct VCardParser {
    /// The maximum depth of nested cards.
    private static let maximumDepth = 4

    private(set) var report = ContactImport(format: .vCard)

    /// The open cards: one, or several while the card of an agent is nested in it.
    private var cards: [OpenCard] = []
    /// The card that was closed last. The next card reuses its memory.
    private var closedCard: OpenCard?
    private let depth: Int
    private let charsets: Charsets

    init(depth: Int, charsets: Charsets) {
        self.depth = depth
        self.charsets = charsets
    }

    /// Whether the card begun last is of version 2.1.
    private(set) var isVersion21 = false

    /// Processes the next property. A property that is too long is truncated, and `isCut` is true.
    mutating func read(
        _ property: VCardProperty,
        _ line: Span<UInt8>,
        _ number: Int,
        isCut: Bool,
        into book: inout ContactBook
    ) throws(KinfolkError) {
        guard let parts = VCardLine(line) else { return }
        let value = line.extracting(parts.value)
        switch property {
        case .begin:
            guard value.extracting(value.trimmedASCIIRange).isASCII("vcard") else { return }
            begin(number, &book)
        case .end:
            let content = value.extracting(value.trimmedASCIIRange)
            guard content.hasASCIIPrefix("vcard") else { return }
            // Two files were joined: the first has no line end at its end, and the second may begin with a byte-order mark.
            let rest = content.extracting(droppingFirst: "vcard".utf8.count)
            let next = rest.extracting(droppingFirst: rest.byteOrderMarkByteCount)
            guard next.isEmpty || next.isASCII("begin:vcard") else { return }
            end(number, &book)
            if !next.isEmpty { begin(number, &book) }
        case _ where cards.isEmpty:
            return
        case .version:
            isVersion21 = value.extracting(value.trimmedASCIIRange).isASCII("2.1")
        case .email where isCut:
            report.skip(.valueTooLong, line: number)
        case .email:
            try readAddress(parts, line, number, into: &book)
        case .formattedName:
            readFormattedName(parts, line)
        case .name:
            if cards[cards.count - 1].name.isEmpty { cards[cards.count - 1].name.append(line) }
        case .agent:
            try readAgent(value, number, isCut: isCut, into: &book)
        }
    }

    /// Drops the cards that are still open at the end of the text.
    mutating func finish(_ book: inout ContactBook) {
        dropOpenCards(&book)
    }

    private mutating func begin(_ number: Int, _ book: inout ContactBook) {
        if cards.last?.expectsAgent == true, depth + cards.count < Self.maximumDepth {
            suspendCard(book)
        } else {
            dropOpenCards(&book)
        }
        isVersion21 = false
        cards.append(closedCard.take() ?? OpenCard(line: number, book: book, report: report))
        cards[cards.count - 1].reopen(line: number, book: book, report: report)
        report.entries += 1
    }

    private mutating func end(_ number: Int, _ book: inout ContactBook) {
        guard let last = cards.indices.last else { return report.skip(.cardWithoutBegin, line: number) }
        if !cards[last].hasAddress { report.withoutEmail += 1 }
        if cards[last].label.isEmpty {
            let name = cards[last].name
            readName(name.span)
        }
        cards[last].labelContacts(in: &book)
        closedCard = cards.removeLast()
        resumeCard(book)
    }

    /// Removes everything that the open cards added, including nested cards: a card may be cut off in the middle of an address.
    private mutating func dropOpenCards(_ book: inout ContactBook) {
        guard let card = cards.first else { return }
        book.rewind(to: card.mark)
        report = card.report
        report.entries += 1
        report.skip(.cardWithoutEnd, line: card.line)
        cards.removeAll(keepingCapacity: true)
    }

    /// Called before a nested card begins: contacts added from now on belong to the nested card.
    private mutating func suspendCard(_ book: ContactBook) {
        guard var card = cards.popLast() else { return }
        card.expectsAgent = false
        card.ownContacts.append(card.firstContact..<book.count)
        cards.append(card)
    }

    private mutating func resumeCard(_ book: ContactBook) {
        guard !cards.isEmpty else { return }
        cards[cards.count - 1].firstContact = book.count
    }

    private mutating func readAddress(
        _ parts: VCardLine,
        _ line: Span<UInt8>,
        _ number: Int,
        into book: inout ContactBook
    ) throws(KinfolkError) {
        let count = try parts.withText(of: line, charsets) { (text) throws(KinfolkError) in
            guard text.contains(UInt8(ascii: "\\")) else { return try report.addValue(text, line: number, to: &book) }
            return try report.addValue(VCardText.unescaped(text).span, line: number, to: &book)
        }
        if count > 0 { cards[cards.count - 1].hasAddress = true }
    }

    private mutating func readFormattedName(_ parts: VCardLine, _ line: Span<UInt8>) {
        // If the label stays empty, a later FN or the N sets it.
        guard cards[cards.count - 1].label.isEmpty else { return }
        parts.withText(of: line, charsets) { text in
            cards[cards.count - 1].label.compose { VCardText.appendLine(text, to: &$0) }
        }
    }

    /// Sets the label from an `N` line. It is only decoded if no `FN` has set the label.
    private mutating func readName(_ line: Span<UInt8>) {
        VCardLine(line)?.withText(of: line, charsets) { text in
            cards[cards.count - 1].label.compose { VCardText.appendFullName(text, to: &$0) }
        }
    }

    /// Reads the card of an agent: separate lines in vCard 2.1, one escaped value in 3.0 (RFC 2426, section 3.5.4).
    private mutating func readAgent(
        _ value: Span<UInt8>,
        _ number: Int,
        isCut: Bool,
        into book: inout ContactBook
    ) throws(KinfolkError) {
        let content = value.extracting(value.trimmedASCIIRange)
        cards[cards.count - 1].expectsAgent = content.isEmpty || content.isASCII("begin:vcard")
        guard content.hasASCIIPrefix("begin:vcard") else { return }
        guard content.count > "begin:vcard".utf8.count else { return begin(number, &book) }
        guard !isCut else { return report.skip(.cardTooLong, line: number) }
        guard depth + cards.count < Self.maximumDepth else { return report.skip(.cardTooDeep, line: number) }

        suspendCard(book)
        var agent = VCardReader(depth: depth + cards.count, line: number, charsets: charsets)
        try agent.push(VCardText.unescaped(content).span, into: &book)
        try agent.finishCards(into: &book)
        report.add(agent.report)
        resumeCard(book)
    }
}
