import Kinfolk

/// Canonical e-mail: what each contact goes through first.
func measureCanonicalEmail() -> [Row] {
    let cases = [
        ("canonical e-mail, ASCII", "Ada.Lovelace+notes@Example.COM"),
        ("canonical e-mail, non-ASCII local part", "Émilie.Noël@example.com"),
        ("canonical e-mail, IDN domain", "ada@bücher.example"),
    ]
    return cases.map { name, address in
        let rounds = 20_000
        let seconds = medianTime {
            for _ in 0..<rounds { _ = try? EmailAddress(address) }
        }
        return Row(name, seconds / Double(rounds) * 1e9, "ns")
    }
}

/// A vCard file of 10,000 cards with photos, about 6 MB: read, canonicalised, hashed.
func measureVCard(in folder: Folder) throws -> [Row] {
    let photo = (0..<5).map { _ in " " + String(repeating: "QUJDREVGR0g", count: 6) }.joined(separator: "\r\n")
    var text = ""
    for number in 0..<10_000 {
        text += """
            BEGIN:VCARD\r
            VERSION:3.0\r
            N:Person;Number \(number);;;\r
            FN:Number \(number) Person\r
            TEL;TYPE=CELL:+1-555-0100\r
            PHOTO;ENCODING=b;TYPE=JPEG:QUJD\r
            \(photo)\r
            item1.EMAIL;TYPE=INTERNET:Person.\(number)@Example.com\r
            item1.X-ABLabel:Work\r
            NOTE:A note that says nothing much about a person who does not exist.\r
            END:VCARD\r

            """
    }
    let path = try folder.write(text, to: "contacts.vcf")
    let seconds = try medianTime {
        var book = ContactBook()
        try book.add(contentsOfFile: path)
        guard book.count == 10_000 else { throw Failure(reason: "Cards were lost.") }
    }
    return [
        Row("vCard file, 10,000 cards: read and hashed", seconds * 1_000, "ms"),
        Row("  the same", Double(text.utf8.count) / seconds / 1_000_000, "MB/s"),
    ]
}
