import Kinfolk

func discovery(_ notes: Container) throws {
    let ada = try notes.service.account(email: EmailAddress("ada@example.com"))
    let session = try notes.session(for: ada)

    var book = ContactBook()
    let report = try book.add(contentsOfFile: "contacts.vcf")
    print("Added:", report.added)

    let digits = "787d5b7c06ca0a21c96436cc7c8117e6fe046d0fd7dedcae8c93bfc14b8e5df7"  // from a client
    if let hash = ContactHash(hex: digits) { try book.add(hash: hash, label: "17") }

    let found = try session.discover(book)
    for friend in found.identities {
        print(friend.name.givenName, friend.contacts.map(\.label))
    }
    let state = found.syncState  // keep it for this person, on their device for example

    try book.add(email: "alan@example.com", label: "Alan")
    let more = try session.discover(book, syncState: state)
    print("Found:", more.identities.count)

    do {
        _ = try session.discover(book, syncState: more.syncState)
    } catch {
        switch error.code {
        case .requestRateLimited: print("Again in", error.retryAfter ?? 0, "seconds")
        case .limitExceeded: print("Send the book in parts")
        default: throw error
        }
    }

    if let grace = more.identities.first {
        try session.block(grace.userRecordID)
        try session.unblock(grace.userRecordID)
    }
}
