import Kinfolk
import KinfolkJSON

/// A discovered person as they are shown.
struct IdentityView {
    static let nobody = "Nobody was found: \"kinfolk help discover\" says who can be."

    private let identity: DiscoveredIdentity

    init(_ identity: DiscoveredIdentity) { self.identity = identity }

    /// The answer to a search for one person.
    static func answer(_ identity: DiscoveredIdentity?) -> Answer {
        guard let identity else { return Answer(["identity": .null], line: nobody) }
        var table = Table(.flexible("NAME"), .fixed("USER RECORD ID"))
        table.add(identity.name.shown, identity.userRecordID.description)
        return Answer(["identity": .object(IdentityView(identity).members)], table: table)
    }

    /// The people of a contact book.
    static func table(_ identities: [DiscoveredIdentity]) -> Table {
        var table = Table(.flexible("NAME"), .fixed("USER RECORD ID"), .flexible("CONTACT"))
        for identity in identities {
            table.add(identity.name.shown, identity.userRecordID.description, IdentityView(identity).labels)
        }
        return table
    }

    var json: JSON {
        .object(
            members + [
                (
                    "contacts",
                    .array(identity.contacts.map { ["index": .count($0.index), "label": .string($0.label)] })
                )
            ]
        )
    }

    private var members: [(String, JSON)] {
        [
            ("user_record_id", .text(identity.userRecordID)),
            ("given_name", .string(identity.name.givenName)),
            ("family_name", .string(identity.name.familyName)),
        ]
    }

    /// The labels of the contacts that led to the person, each once; for a contact without a label, its place in the book.
    private var labels: String {
        var labels: [String] = []
        for contact in identity.contacts {
            let label = contact.label.isEmpty ? "#\(contact.index + 1)" : contact.label
            if !labels.contains(label) { labels.append(label) }
        }
        return labels.joined(separator: ", ")
    }
}
