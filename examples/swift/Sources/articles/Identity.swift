import Kinfolk

func identity(_ notes: Container) throws {
    let service = notes.service
    let ada = try service.account(email: EmailAddress("ada@example.com"))
    let again = try service.account(ada.id)

    let games = try service.createContainer("com.example.games")
    let inNotes = try notes.session(for: again).userRecordID()
    let inGames = try games.session(for: again).userRecordID()
    print("One ID in both:", inNotes == inGames)

    let session = try notes.session(for: ada)
    switch session.accountStatus() {
    case .available: print("Signed in")
    case .restricted: print("Suspended")
    case .noAccount: print("Nobody, or erased")
    case .couldNotDetermine: print("The store cannot be reached for now")
    }

    let visitor = notes.anonymousSession()
    let theirs = try visitor.fetchUserRecord(inNotes)
    print("Fields of Ada:", theirs.keys)

    var profile = try session.fetchUserRecord()
    try profile.set("motto", to: .string("Try it and see"))
    try profile.set("languages", to: .stringList(["en", "fr"]))
    profile = try session.save(profile)

    try notes.addField("theme", type: .string)
    var settings = try session.fetchUserRecord(in: .private)
    try settings.set("theme", to: .string("dark"))
    do {
        settings = try session.save(settings)
    } catch {
        // Somebody saved it since it was fetched: error.serverRecord is what the store holds.
        guard error.code == .serverRecordChanged else { throw error }
        settings = try session.save(settings, policy: .changedKeys)
    }
}

/// Runs until the stream ends.
func follow(_ session: Session) async throws {
    for await _ in try await session.accountChanges() {
        guard await session.accountStatus() == .available else { break }
    }
}
