import Kinfolk

let service = try Service.open("kinfolk.db")  // makes the store and its key, kinfolk.key, if there is none
let notes = try service.openOrCreateContainer("com.example.notes").container

// You vouch for these addresses.
let (adaName, graceName) = (PersonName(givenName: "Ada"), PersonName(givenName: "Grace", familyName: "Sample"))
let ada = try service.findOrCreateAccount(email: "ada@example.com", name: adaName).account
let grace = try service.findOrCreateAccount(email: "grace@example.org", name: graceName).account

let wording = ConsentWording("May people who have your e-mail address find you?", version: "1")
try notes.session(for: grace).setDiscoverability(.granted, wording: wording)

var book = ContactBook()
try book.add(email: "Grace@Example.ORG", label: "Grace from chess")  // or add(contentsOfFile: "contacts.vcf")
let found = try notes.session(for: ada).discover(book)
for person in found.identities {
    print(person.userRecordID, person.name.givenName, person.contacts[0].label)
}
// The book holds hashes and labels, no address. Pass found.syncState to the next discovery: asking again is free.
