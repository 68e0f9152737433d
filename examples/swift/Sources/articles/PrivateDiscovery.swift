import Kinfolk

func privateDiscovery(_ notes: Container) throws {
    let session = try notes.session(for: notes.service.account(email: EmailAddress("ada@example.com")))
    var book = ContactBook()
    try book.add(email: "grace@example.org", label: "Grace")

    try notes.setDirectoryModes([.hashed, .private])
    let key = try notes.privateEpochs()[0].publicKey  // for your clients, for example in the application's package

    var client = try PrivateDiscoveryClient(container: "com.example.notes", publicKeys: [key])
    client.setContacts(book)
    while let request = try client.nextRequest() {
        let answer = try session.answer(request)  // in the server, with the session of the signed-in person
        try client.receive(answer)
    }
    for match in client.matches {
        print(match.userRecordID, match.contacts.map(\.label))
    }
    let kept = client.state  // for the next discovery: keep it as safe as the address book
    print(kept.count)

    let epoch = try notes.renewPrivateKey { print($0.people, "of", $0.total) }
    // Later, when clients have moved:
    try notes.endPrivateEpochs(before: epoch.number)
}
