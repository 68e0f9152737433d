import Kinfolk
import ServiceSupport
import TestSupport
import Testing

/// No way of printing a value shows its data about people.
@Suite struct RedactionTests {
    private let store: TestService

    init() throws { store = try TestService() }

    /// The secrets in the values below. Numbers are left out, because other text could contain them by chance.
    private static let secrets = [
        "Adaline", "Lovelace", "Grandma", "adaline@example.com", "Ticket 4711", "green-eyed", "48.858",
        "Is it Adaline?",
        "correct horse",
    ]

    /// A value with secrets of each public type that can hold them.
    private func values() throws -> (values: [Any], secrets: [String]) {
        let address = try EmailAddress("adaline@example.com")
        let name = PersonName(givenName: "Adaline", familyName: "Lovelace")
        let account = try store.service.createAccount(name: name)
        try account.addEmail("adaline@example.com", verified: true)
        let session = try store.container.session(for: account)
        let wording = ConsentWording("Is it Adaline?", version: "Grandma")
        try session.setDiscoverability(.granted, wording: wording)
        let seeker = try store.session("Grace", emails: "grace@example.com")
        var book = ContactBook()
        try book.add(email: "adaline@example.com", label: "Grandma")
        let discovery = try seeker.discover(book)
        let identity = try #require(discovery.identities.first)
        let contact = try #require(identity.contacts.first)
        var record = try session.fetchUserRecord()
        let location = try Location(latitude: 48.858, longitude: 2.294)
        try record.set("eyes", to: .string("green-eyed"))
        try record.set("home", to: .location(location))
        try record.set("friend", to: .reference(seeker.userRecordID()))
        let mail = try #require(try account.requestVerification(of: address, for: .signIn))
        let claimant = try store.service.createAccount()
        let verification = try #require(try claimant.addEmail("adaline@example.com", verified: true))
        let claim = try #require(verification.claim)
        _ = try store.container.account(of: session.userRecordID(), reason: "Ticket 4711")
        let block = OperatorBlock(userRecordID: identity.userRecordID, otherUserRecordID: identity.userRecordID)
        var client = try PrivateDiscoveryClient(container: "com.example.notes")
        client.setContacts(book)
        try store.container.setDirectoryModes([.hashed, .private])
        let match = try #require(try privateMatch(of: book, seeker))
        let error = KinfolkError(.serverRecordChanged, "Changed.", serverRecord: record)
        let values: [Any] = [
            address, address.contactHash, name, account, session, store.container, store.service, wording, book,
            discovery,
            identity, contact, record, location, FieldValue.string("green-eyed"), FieldValue.stringList(["green-eyed"]),
            FieldValue.location(location), mail, verification, claim, try account.emails(), block, client, match, error,
            try store.service.auditLog(), KeySource.passphrase("correct horse"),
            KeySource.bytes([UInt8](repeating: 7, count: 32)),
            seeker,
        ]
        let ids = try [session.userRecordID().description, account.id.description, claimant.id.description]
        return (values, RedactionTests.secrets + ids + [address.contactHash.hex, mail.code, mail.pass])
    }

    private func privateMatch(of book: ContactBook, _ session: Session) throws -> PrivateMatch? {
        var client = try PrivateDiscoveryClient(container: "com.example.notes")
        client.setContacts(book)
        while let request = try client.nextRequest() { try client.receive(session.answer(request)) }
        return client.matches.first
    }

    /// Everything that prints a value: by itself, in an optional, in an array, in a dictionary, in a tuple and in an enum.
    private func printed(_ value: Any) -> String {
        var text = ""
        let optional: Any? = value
        let wrapped: [Any] = [
            value, optional as Any, [value], [value, value], ["key": value], (1, value),
            Result<Any, Never>.success(value),
        ]
        for value in wrapped {
            print(value, to: &text)
            debugPrint(value, to: &text)
            dump(value, to: &text)
            text += "\(value) " + String(describing: value) + String(reflecting: value)
            text += reflected(value, depth: 0)
        }
        return text
    }

    /// Walks through a value as a debugger does.
    private func reflected(_ value: Any, depth: Int) -> String {
        guard depth < 8 else { return "" }
        let mirror = Mirror(reflecting: value)
        return mirror.children.reduce("\(value)") {
            $0 + " \($1.label ?? "") \($1.value) " + reflected($1.value, depth: depth + 1)
        }
    }

    @Test func noPrintedFormContainsASecret() throws {
        let (values, secrets) = try values()
        #expect(secrets.count > 12)
        for value in values {
            let text = printed(value)
            #expect(!text.isEmpty)
            for secret in secrets {
                #expect(!text.contains(secret), "\(type(of: value)) shows \(secret)")
            }
        }
    }

    @Test func descriptionsShowOnlyCounts() throws {
        #expect(try "\(book("ada@example.com", "grace@example.com"))" == "ContactBook(2 contacts)")
        #expect("\(PersonName(givenName: "Adaline"))" == "PersonName")
        #expect("\(FieldValue.stringList(["a", "b"]))" == "FieldValue(stringList, 2)")
        #expect(try String(reflecting: EmailAddress("ada@example.com").contactHash) == "ContactHash")
    }

    @Test func identifiersShowTheirText() throws {
        let text = "_0123456789abcdef0123456789abcdef"
        #expect(try "\(UserRecordID(text))" == text)
    }
}
