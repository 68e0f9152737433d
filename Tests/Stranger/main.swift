// The first program of a new user, in a separate package that depends on a version of Kinfolk.
import Kinfolk

let service = try Service.open("kinfolk.db")
let notes = try service.createContainer("com.example.notes")

let ada = try service.createAccount(name: PersonName(givenName: "Ada", familyName: "Example"))
try ada.addEmail("ada@example.com", verified: true)
let grace = try service.createAccount(name: PersonName(givenName: "Grace", familyName: "Example"))
try grace.addEmail("grace@example.org", verified: true)

func optIn() async throws(KinfolkError) {
    let wording = ConsentWording("May people who have your e-mail address find you?", version: "1")
    try await notes.session(for: grace).setDiscoverability(.granted, wording: wording)
}
try await optIn()

var book = ContactBook()
let reading = try book.add(contentsOfFile: "contacts.vcf")
let found = try notes.session(for: ada).discover(book)
print("\(found.identities.count) of \(reading.added) contacts:")
for person in found.identities {
    print("\(person.name.givenName), who is \(person.contacts.map(\.label))")
}
