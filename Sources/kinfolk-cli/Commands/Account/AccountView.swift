import Kinfolk
import KinfolkJSON

/// An account as it is shown.
struct AccountView {
    let id: AccountID
    let name: PersonName
    let isSuspended: Bool
    let emails: [AccountEmail]
    /// The containers in which others can find the person now.
    let containers: [String]

    init(_ account: Account) throws(KinfolkError) {
        id = account.id
        name = try account.name()
        isSuspended = try account.isSuspended()
        emails = try account.emails()
        containers = try account.containersOfConsent()
    }

    /// What a search by an address finds.
    private func discoverable(_ email: AccountEmail) -> String {
        if isSuspended { return "no: suspended" }
        if !email.isVerified { return "no: not verified" }
        if !email.isDiscoverable { return "no: switched off" }
        return containers.isEmpty ? "no: no consent" : "in " + containers.joined(separator: " ")
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
                        "found_in": .array(
                            !isSuspended && email.isVerified && email.isDiscoverable ? containers.map(JSON.string) : []
                        ),
                        "added_at": .text(email.addedAt),
                    ]
                }
            ),
        ]
    }

    /// The account itself, then its addresses.
    var answer: Answer {
        var addresses = Table(.flexible("ADDRESS"), .fixed("VERIFIED"), .flexible("DISCOVERABLE"))
        for email in emails {
            addresses.add(email.spelling, email.isVerified ? "yes" : "no", discoverable(email))
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
