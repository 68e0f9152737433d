/// Which columns of a table hold addresses and names: found by the headers that Google Contacts, Outlook and Thunderbird
/// write, and by plain ones.
struct CSVColumns {
    /// In the order of the table.
    private(set) var addresses: [Int] = []
    private var fullName: Int?
    private var givenName: Int?
    private var additionalName: Int?
    private var familyName: Int?
    private var substitutes: [Int] = []

    /// Nil unless a header says that its column holds addresses.
    init?(header: CSVRow) {
        for index in 0..<header.count {
            let name = Self.normalized(header[index])
            if Self.addressHeaders.contains(name) { addresses.append(index) }
            if Self.fullNameHeaders.contains(name) { fullName = fullName ?? index }
            if Self.givenNameHeaders.contains(name) { givenName = givenName ?? index }
            if Self.additionalNameHeaders.contains(name) { additionalName = additionalName ?? index }
            if Self.familyNameHeaders.contains(name) { familyName = familyName ?? index }
            if Self.substituteHeaders.contains(name) { substitutes.append(index) }
        }
        if addresses.isEmpty { return nil }
    }

    /// A table without headers: addresses are where there is an `@`, and the first other field is the name.
    init?(headless row: CSVRow) {
        for index in 0..<row.count {
            let isAddress = row.withField(at: index) { field in (try? AddressText(field).hash(in: field)) != nil }
            if isAddress {
                addresses.append(index)
            } else if fullName == nil {
                fullName = index
            }
        }
        if addresses.isEmpty { return nil }
    }

    /// The name in a row: the full one, or else its parts, or else what stands for it.
    func label(of row: CSVRow) -> [UInt8] {
        var label = Self.label(of: row, [fullName])
        if label.isEmpty { label = Self.label(of: row, [givenName, additionalName, familyName]) }
        for column in substitutes {
            // A header may name more columns than a row has fields, by any number.
            guard label.isEmpty, column < row.count else { break }
            label = Self.label(of: row, [column])
        }
        return label
    }

    private static func label(of row: CSVRow, _ columns: [Int?]) -> [UInt8] {
        var label: [UInt8] = []
        for case let column? in columns {
            if !label.isEmpty, label.last != 0x20 { label.append(0x20) }
            append(row, column, to: &label)
        }
        if label.last == 0x20 { label.removeLast() }
        return label
    }

    private static func append(_ row: CSVRow, _ column: Int, to label: inout [UInt8]) {
        row.withField(at: column) { field in
            if let repaired = Windows1252.repaired(field) {
                LabelText.append(repaired.span, to: &label)
            } else {
                LabelText.append(field, to: &label)
            }
        }
    }

    /// Letters only, in lower case: `E-mail 1 - Value` is `emailvalue`.
    private static func normalized(_ header: String) -> String {
        String(String.UnicodeScalarView(header.lowercased().unicodeScalars.filter(\.properties.isAlphabetic)))
    }

    private static let addressHeaders: Set<String> = [
        "email", "emails", "emailvalue", "emailaddress", "emailaddresses", "mail", "mailaddress",
        "primaryemail", "primaryemailaddress", "secondaryemail", "alternateemail", "alternateemailaddress",
        "homeemail", "workemail", "otheremail", "personalemail", "businessemail", "emailhome", "emailwork",
        "emailother",
        "emailadresse", "mailadresse", "emailadres", "adresseemail", "adressedemessagerie", "courriel",
        "indirizzoemail",
        "correoelectrónico", "direccióndecorreoelectrónico", "endereçodeemail", "メールアドレス",
    ]
    private static let fullNameHeaders: Set<String> = ["name", "fullname", "displayname", "contactname", "anzeigename"]
    private static let givenNameHeaders: Set<String> = [
        "givenname", "firstname", "given", "first", "vorname", "prénom",
    ]
    private static let additionalNameHeaders: Set<String> = ["additionalname", "middlename"]
    private static let familyNameHeaders: Set<String> = [
        "familyname", "lastname", "surname", "family", "last", "nachname",
    ]
    private static let substituteHeaders: Set<String> = [
        "fileas", "nickname", "organizationname", "organization", "company",
    ]
}
