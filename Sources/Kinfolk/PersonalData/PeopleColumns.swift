import KinfolkContacts
import KinfolkModel

/// The positions of the columns in a file of people.
struct PeopleColumns {
    private var givenName: Int?
    private var familyName: Int?
    private let email: Int
    private var consent: Int?

    /// Whether the file says who consented to be found.
    var hasConsent: Bool { consent != nil }

    /// The headings of columns that are not read, in the order of the file.
    private(set) var ignored: [String] = []

    /// Reads the header row. Other columns, and a second column with the same meaning, are ignored.
    init(header: CSVRow) throws(KinfolkError) {
        var email: Int?
        for index in 0..<header.count {
            switch PeopleColumns.letters(of: header[index]) {
            case "givenname" where givenName == nil, "firstname" where givenName == nil: givenName = index
            case "familyname" where familyName == nil, "lastname" where familyName == nil: familyName = index
            case "email" where email == nil, "emailaddress" where email == nil: email = index
            case "consent" where consent == nil: consent = index
            default: if !header[index].isEmpty { ignored.append(header[index]) }
            }
        }
        guard let email, header.fault == nil else {
            throw KinfolkError(
                .invalidArgument,
                "The first row of a file of people names its columns, email at least: given_name,family_name,email,consent."
            )
        }
        self.email = email
    }

    func name(in row: CSVRow) -> PersonName {
        PersonName(givenName: text(row, givenName), familyName: text(row, familyName))
    }

    func consent(in row: CSVRow) -> String { text(row, consent).lowercased() }

    /// Calls `body` with the cell of addresses, as UTF-8.
    func withEmails(in row: CSVRow, _ body: (Span<UInt8>) -> Void) {
        row.withField(at: email) { Windows1252.withRepaired($0, body) }
    }

    /// The text of a cell, without surrounding white space.
    private func text(_ row: CSVRow, _ column: Int?) -> String {
        guard let column else { return "" }
        return row.withField(at: column) { cell in
            Windows1252.withRepaired(cell.extracting(cell.trimmedASCIIRange)) { content in
                content.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
            }
        }
    }

    /// Keeps only the letters, in lower case: `Given Name`, `given_name` and `given-name` are equal.
    private static func letters(of heading: String) -> String { heading.lowercased().filter(\.isLetter) }
}
