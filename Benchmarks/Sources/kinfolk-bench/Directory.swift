import Kinfolk

/// A contact book of 1,000 addresses, of which 50 are there, against a directory of `size` people.
func measureDirectory(of size: Int, in folder: Folder) throws -> [Row] {
    let store = folder.file("people-\(size).db")
    let rows = try measureImportAndMatching(of: size, in: store, folder)
    // Nobody has the store open any more: as a program finds it when it starts.
    let opening = try medianTime { _ = try Service.open(store, existingOnly: true) }
    return rows + [Row("open a store of \(People.grouped(size)) people", opening * 1_000, "ms")]
}

private func measureImportAndMatching(of size: Int, in store: String, _ folder: Folder) throws -> [Row] {
    let people = try People.write(size, to: folder)
    let service = try Service.open(store)
    let container = try service.createContainer("com.example.bench")
    let wording = ConsentWording("May others find you?", version: "1")
    let importing = try time {
        let report = try service.importPeople(fromFile: people, into: container, wording: wording)
        guard report.created == size else { throw Failure(reason: "People were lost.") }
    }

    let session = try container.session(for: service.createAccount())
    let text = People.addresses(present: 50, absent: 950, of: size).joined(separator: "\n")
    let first = try find(text, session, state: [])
    guard first.identities.count == 50 else { throw Failure(reason: "The wrong people were found.") }
    let matching = try medianTime(runs: 51) { _ = try find(text, session, state: first.syncState) }
    return [
        Row("1,000 contacts, \(People.grouped(size)) people: canonicalised, hashed, matched", matching * 1_000, "ms"),
        Row("  the same", 1_000 / matching, "contacts/s"),
        Row("import of \(People.grouped(size)) people", Double(size) / importing, "people/s"),
    ]
}

private func find(_ text: String, _ session: Session, state: [UInt8]) throws -> Discovery {
    var book = ContactBook()
    try book.addText(text)
    return try session.discover(book, syncState: state)
}
