// friends: which people in my contact book use this application?
//
//     swift run friends [kinfolk.db [contacts.vcf]]
//
// Three people use an application, and two of them agreed to be found. The first looks for friends in a contact book:
// a vCard or CSV file, a file with one address a line, or the few contacts below.

import Foundation
import Kinfolk

let consent = ConsentWording("May people who have your e-mail address find you here?", version: "1")

/// Each person's answer to the prompt.
let people: [(name: PersonName, email: String, answer: Discoverability)] = [
    (PersonName(givenName: "Ada", familyName: "Example"), "ada@example.com", .granted),
    (PersonName(givenName: "Yusuf", familyName: "Weber"), "weber.yusuf9@example.com", .granted),
    (PersonName(givenName: "Victor", familyName: "Tanaka"), "tanaka.victor30@example.com", .denied),
]

/// The application's container: created on the first run, opened on later runs.
func container(_ name: String, in service: Service) throws(KinfolkError) -> Container {
    do { return try service.container(name) } catch  where error.code == .unknownItem {
        return try service.createContainer(name)
    }
}

/// The account with this address, created if there is none. `verified`: this program vouches for the address.
func account(_ name: PersonName, _ email: String, in service: Service) throws(KinfolkError) -> Account {
    do { return try service.account(email: EmailAddress(email)) } catch  where error.code == .unknownItem {
        let account = try service.createAccount(name: name)
        try account.addEmail(email, verified: true)
        return account
    }
}

func contactBook(_ path: String?) throws(KinfolkError) -> ContactBook {
    var book = ContactBook()
    guard let path else {
        try book.add(email: "Weber.Yusuf9@Example.com", label: "Yusuf from chess")
        try book.add(email: "tanaka.victor30@example.com", label: "Victor")
        try book.add(email: "somebody@example.org", label: "Somebody else")
        return book
    }
    for skip in try book.add(contentsOfFile: path).skipped { print("line \(skip.line) skipped: \(skip.reason)") }
    return book
}

func findFriends(store: String, contacts: String?) throws(KinfolkError) {
    let book = try contactBook(contacts)
    let service = try Service.open(store)
    let notes = try container("com.example.notes", in: service)
    for person in people {
        let session = try notes.session(for: account(person.name, person.email, in: service))
        // A real prompt shows the wording. Each person is asked once: later runs find the answer in the store.
        _ = try session.requestDiscoverability(wording: consent) { wording in person.answer }
    }
    let ada = try notes.session(for: account(people[0].name, people[0].email, in: service))
    let friends = try ada.discover(book).identities
    for friend in friends {
        let labels = friend.contacts.map(\.label).joined(separator: ", ")
        print("\(friend.userRecordID)  \(friend.name.givenName) \(friend.name.familyName)  (your contact \(labels))")
    }
    let matched = friends.reduce(0) { $0 + $1.contacts.count }
    print("\(matched) of \(book.count) contacts can be found here")
}

let arguments = Array(CommandLine.arguments.dropFirst())
do {
    try findFriends(store: arguments.first ?? "kinfolk.db", contacts: arguments.dropFirst().first)
} catch {
    FileHandle.standardError.write(Data("friends: \(error.reason)\n".utf8))
    exit(EXIT_FAILURE)
}
