import Foundation
import Kinfolk
import Testing

/// The headers that one program writes in one language, and the meaning of the columns.
struct TableHeaders: Decodable, CustomTestStringConvertible {
    let program: String
    let language: String
    let header: [String]
    let addresses: [Int]
    let given: Int
    let family: Int
    let full: Int?
    let nickname: Int?
    let screenName: Int?
    let notes: Int?
    let type: Int?
    let display: Int?

    var testDescription: String { "\(program), \(language)" }

    /// Empty if the file cannot be read. A test checks that.
    static let all: [TableHeaders] = {
        let file = ContactFixture.directory.appending(path: "table-headers.json")
        return (try? JSONDecoder().decode([TableHeaders].self, from: Data(contentsOf: file))) ?? []
    }()

    /// A table of four people under these headers: one without a full name, one without an address.
    func text(separator: String) -> String {
        let rows = [
            row("Ada", "Lovelace", "Ada Lovelace", ["ada@example.com", "ada@example.org"]),
            row("Grace", "Hopper", "", ["grace@example.com"]), row("Edith", "Clarke", "Edith Clarke", []),
            row("Alan", "Turing", "Alan Turing", ["Alan@Example.com", "alan@example.org"]),
        ]
        return ([header] + rows).map { $0.map { "\"\($0)\"" }.joined(separator: separator) + "\r\n" }.joined()
    }

    /// The entries of the table. LinkedIn has only one column of addresses.
    var entries: [ContactBook.Entry] {
        get throws {
            let all: [(email: String, name: String)] = [
                ("ada@example.com", "Ada Lovelace"), ("ada@example.org", "Ada Lovelace"),
                ("grace@example.com", "Grace Hopper"), ("alan@example.com", "Alan Turing"),
                ("alan@example.org", "Alan Turing"),
            ]
            return try all.filter { addresses.count > 1 || $0.email.hasSuffix(".com") }.map {
                try .init($0.email, $0.name)
            }
        }
    }

    private func row(_ given: String, _ family: String, _ full: String, _ addresses: [String]) -> [String] {
        var row = Array(repeating: "", count: header.count)
        func set(_ column: Int?, _ text: String) {
            if let column { row[column] = text }
        }
        set(self.given, given)
        set(self.family, family)
        set(self.full, full)
        set(nickname, "the great")
        set(screenName, "@\(given)")
        set(notes, "see \(given)@elsewhere.example for more")
        for (column, address) in zip(self.addresses, addresses) { row[column] = address }
        if let address = addresses.first {
            set(type, "SMTP")
            set(
                display,
                given == "Ada" ? "\(given) \(family) (\(address))" : given == "Alan" ? address : "\(given) \(family)"
            )
        }
        return row
    }
}
