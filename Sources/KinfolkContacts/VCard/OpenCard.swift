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
    var label = ContactLabel()
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
        ownContacts.removeAll(keepingCapacity: true)
        hasAddress = false
        expectsAgent = false
        label.removeAll()
        name.removeAll(keepingCapacity: true)
    }

    /// Sets the label of its contacts.
    mutating func labelContacts(in book: inout ContactBook) {
        guard hasAddress else { return }
        let label = book.store(label)
        for contacts in ownContacts { book.setLabel(label, for: contacts) }
        book.setLabel(label, for: firstContact..<book.count)
    }
}
