/// A card whose `END:VCARD` has not been read.
struct OpenCard {
    /// The line of its `BEGIN:VCARD`.
    var line = 0
    /// The state of the book before the card.
    var mark: ContactBook.Mark
    /// The report before the card.
    var report: ContactImport
    /// The index of its first contact after the last nested card. Earlier contacts are in ``ownContacts`` or belong to a nested
    /// card.
    var firstContact: Int
    var ownContacts: [Range<Int>] = []
    var hasAddress = false
    /// Whether an `AGENT` property has announced a nested card.
    var expectsAgent = false
    /// The label of its contacts, from `FN`.
    var label: [UInt8] = []
    /// The line of `N`, for cards without `FN`.
    var name: [UInt8] = []

    init(line: Int, book: ContactBook, report: ContactImport) {
        self.line = line
        self.report = report
        mark = book.mark
        firstContact = book.count
    }

    /// Turns this value into the next card and reuses its memory.
    mutating func reopen(line: Int, book: ContactBook, report: ContactImport) {
        self.line = line
        self.report = report
        mark = book.mark
        firstContact = book.count
        ownContacts.removeAll()
        hasAddress = false
        expectsAgent = false
        label.removeAll(keepingCapacity: true)
        name.removeAll(keepingCapacity: true)
    }

    /// Sets the label of its contacts.
    mutating func labelContacts(in book: inout ContactBook) {
        if label.last == 0x20 { label.removeLast() }
        for contacts in ownContacts { book.setLabel(label.span, for: contacts) }
        book.setLabel(label.span, for: firstContact..<book.count)
    }
}
