import Kinfolk
import KinfolkJSON

/// An account as it is shown.
struct AccountView {
    let id: AccountID
    let name: PersonName
    let isSuspended: Bool
    let emails: [AccountEmail]

    init(_ account: Account) throws(KinfolkError) {
        id = account.id
        name = try account.name()
        isSuspended = try account.isSuspended()
        emails = try account.emails()
    }

    var status: String { isSuspended ? "suspended" : "active" }

    var json: JSON {
        [
            "account_id": .text(id),
            "given_name": .string(name.givenName),
            "family_name": .string(name.familyName),
            "suspended": .boolean(isSuspended),
            "emails": .array(
                emails.map { email in
                    [
                        "address": .string(email.spelling),
                        "verified_at": email.verifiedAt.map(JSON.text) ?? .null,
                        "discoverable": .boolean(email.isDiscoverable),
                        "added_at": .text(email.addedAt),
                    ]
                }
            ),
        ]
    }

    /// The account itself, then its addresses.
    var answer: Answer {
        var addresses = Table(.flexible("ADDRESS"), .fixed("VERIFIED"), .fixed("DISCOVERABLE"))
        for email in emails {
            addresses.add(email.spelling, email.isVerified ? "yes" : "no", email.isDiscoverable ? "yes" : "no")
        }
        return Answer(
            json,
            [.line("\(id)  \(name.shown)  \(status)"), addresses.isEmpty ? .line("No address.") : .table(addresses)]
        )
    }
}

extension PersonName {
    /// The given and the family name, or a dash if both are empty.
    var shown: String {
        let parts = [givenName, familyName].filter { !$0.isEmpty }
        return parts.isEmpty ? "-" : parts.joined(separator: " ")
    }
}
