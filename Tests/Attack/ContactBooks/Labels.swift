import Kinfolk

/// No label of a contact book, or of a result of discovery, holds an address, whatever the file contains or the caller
/// passes.
struct Labels: Experiment {
    let name = "labels"
    let promise = "no address in a contact book"

    func run(_ length: Length) throws -> [Finding] {
        let count = length.choose(short: 2_000, long: 20_000)
        let ways: [(String, (inout ContactBook, Card) throws -> Void)] = [
            ("labels of callers", { try $0.add(email: $1.address, label: $1.name) }),
            (
                "vCards",
                {
                    try $0.add(
                        "BEGIN:VCARD\nFN:\($1.name)\nN:\($1.other)\nEMAIL:\($1.address)\nEND:VCARD\n",
                        as: .vCard
                    )
                }
            ),
            ("rows of tables", { try $0.add("name,email\n\"\($1.name)\",\($1.address)\n", as: .csv) }),
            (
                "entries of LDIF",
                { try $0.add("dn: x\ncn: \($1.name)\nsn: \($1.other)\nmail: \($1.address)\n", as: .ldif) }
            ),
            (
                "jCards",
                {
                    try $0.add(
                        "[\"vcard\",[[\"fn\",{},\"text\",\"\($1.name)\"],[\"email\",{},\"text\",\"\($1.address)\"]]]",
                        as: .jCard
                    )
                }
            ),
            ("lines of lists", { try $0.add("\($1.name) <\($1.address)>\n", as: .list) }),
        ]
        return try ways.map { kind, add in
            var found = 0
            for number in 0..<count {
                let card = Card(number)
                var book = ContactBook()
                try add(&book, card)
                found += (0..<book.count).count { card.isShown(in: book.label(at: $0)) }
            }
            return Finding(
                "\(count.grouped) \(kind) with addresses in names",
                "\(found) labels with one",
                isHeld: found == 0
            )
        }
    }

    /// A person whose name fields hold addresses. Some programs write the address there if they know no name.
    private struct Card {
        let address: String
        let name: String
        let other: String
        private let addresses: [String]

        init(_ number: Int) {
            let person = InventedPerson(number)
            address = person.address
            addresses = [person.address, person.otherAddress]
            let forms = [
                person.address, "<\(person.address)>", "\(person.givenName) <\(person.address)> (work)",
                "'\(person.address)'",
                "\(person.givenName) (\(person.otherAddress))", "mailto:\(person.address)",
                "\(person.address), \(person.otherAddress)",
                person.address.replacing("@", with: "＠"), person.address.replacing("@", with: "﹫"),
                person.address.replacing("@", with: "%40"),
                "\(person.givenName)\u{A0}\(person.address)\u{3000}\(person.familyName)",
            ]
            name = forms[number % forms.count]
            other = forms[number / forms.count % forms.count]
        }

        /// Whether a label shows an address, with any spelling of the at sign.
        func isShown(in label: String) -> Bool {
            let plain = label.replacing("＠", with: "@").replacing("﹫", with: "@").replacing("%40", with: "@")
            return addresses.contains(where: plain.contains) || plain.contains(/\w@\w/)
        }
    }
}
