// Create: a store with its key, an application's container, two people.
import Kinfolk

let service = try Service.open("kinfolk.db")
let notes = try service.createContainer("com.example.notes")
let ada = try service.createAccount(name: PersonName(givenName: "Ada", familyName: "Example"))
try ada.addEmail("ada@example.com", verified: true)  // your program vouches for it
let grace = try service.createAccount(name: PersonName(givenName: "Grace", familyName: "Sample"))
try grace.addEmail("grace@example.org", verified: true)
let adaHere = try notes.session(for: ada)
print("Ada is", try adaHere.userRecordID())

// Opt in: Grace was shown this text, and said yes.
let graceHere = try notes.session(for: grace)
let wording = ConsentWording("May people who have your e-mail address find you?", version: "1")
try graceHere.setDiscoverability(.granted, wording: wording)
print("Grace's discoverability:", try graceHere.discoverability())

// Discover: which of Ada's contacts are here?
var book = ContactBook()
try book.add(email: "Grace@Example.ORG", label: "Grace from chess")
try book.add(email: "somebody@example.com", label: "Somebody else")
let found = try adaHere.discover(book)  // keep found.syncState: with it, asking again is free
for friend in found.identities {
    print("Found", friend.userRecordID, friend.name.givenName, "as", friend.contacts[0].label)
}

// Erase: Grace leaves, and nothing of her stays.
let erasure = try grace.erase()
print("Erased addresses:", erasure.emails)
print("Found now:", try adaHere.discover(book, syncState: found.syncState).identities.count)
