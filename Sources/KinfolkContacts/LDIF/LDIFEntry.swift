/// An LDIF entry whose end has not been read.
struct LDIFEntry {
    /// The line where it begins.
    let line: Int
    /// The state of the book before the entry.
    let mark: ContactBook.Mark
    /// The report before the entry.
    let report: ContactImport
    let firstContact: Int
    var hasAddress = false
    /// Whether it is a change record, which changes or deletes another entry.
    var isChange = false
    private var commonName = ContactLabel()
    private var displayName = ContactLabel()
    private var givenName = ContactLabel()
    private var surname = ContactLabel()

    init(line: Int, book: ContactBook, report: ContactImport) {
        self.line = line
        self.report = report
        mark = book.mark
        firstContact = book.count
    }

    /// Stores a name, unless a name of this kind is already stored or only addresses are in it.
    mutating func take(_ text: Span<UInt8>, as attribute: LDIFAttribute) {
        switch attribute {
        case .commonName: Self.take(text, as: &commonName)
        case .displayName: Self.take(text, as: &displayName)
        case .givenName: Self.take(text, as: &givenName)
        case .surname: Self.take(text, as: &surname)
        default: break
        }
    }

    /// The label of its contacts.
    var label: ContactLabel {
        if !commonName.isEmpty { return commonName }
        if !displayName.isEmpty { return displayName }
        if givenName.isEmpty { return surname }
        if surname.isEmpty { return givenName }
        return ContactLabel { $0 += givenName.bytes + [0x20] + surname.bytes }
    }

    private static func take(_ text: Span<UInt8>, as name: inout ContactLabel) {
        guard name.isEmpty else { return }
        name.compose { LabelText.append(text, to: &$0) }
    }
}
