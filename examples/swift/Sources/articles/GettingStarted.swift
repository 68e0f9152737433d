import Kinfolk

func gettingStarted() throws -> Container {
    let service = try Service.open("kinfolk.db")
    let notes = try service.createContainer("com.example.notes")

    let ada = try service.createAccount(name: PersonName(givenName: "Ada", familyName: "Example"))
    try ada.addEmail("ada@example.com", verified: true)
    let grace = try service.createAccount(name: PersonName(givenName: "Grace", familyName: "Sample"))
    try grace.addEmail("grace@example.org", verified: true)

    let session = try notes.session(for: ada)
    print("Ada is", try session.userRecordID())

    let wording = ConsentWording("May people who have your e-mail address find you?", version: "1")
    try notes.session(for: grace).setDiscoverability(.granted, wording: wording)

    var book = ContactBook()
    try book.add(email: "grace@example.org", label: "Grace from chess")
    for friend in try session.discover(book).identities {
        print(friend.name.givenName, "is", friend.userRecordID)
    }

    do {
        _ = try service.container("com.example.games")
    } catch {
        print("\(error.code):", error.reason)
    }
    return notes
}
