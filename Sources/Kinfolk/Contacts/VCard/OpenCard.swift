/// A card whose `END:VCARD` has not been read.
struct OpenCard {
    /// The line of its `BEGIN:VCARD`.
    let line: Int
    /// The book as it was before.
    let mark: ContactBook.Mark
    /// The report as it was before.
    let report: ContactImport
    /// Where its latest contacts begin; those before belong to a card within this one, or are in ``ownContacts``.
    var firstContact: Int
    var ownContacts: [Range<Int>] = []
    var hasAddress = false
    /// Whether an `AGENT` has announced a card within this one.
    var expectsAgent = false
    /// What is shown for its contacts, from `FN`.
    var label: [UInt8] = []
    /// The line of `N`, for cards without `FN`.
    var name: [UInt8] = []
}
