import Kinfolk

/// A store with all kinds of data: people, addresses, consents, records, codes, discoveries.
struct PopulatedStore {
    let store: AttackedStore
    /// The spellings of all addresses that it ever had, including erased ones.
    private(set) var addresses: [String] = []
    /// All names, wordings, values of fields and codes that it ever had.
    private(set) var texts: Set<String> = [AttackedStore.wording.text]
    /// The values that applications received to keep.
    private(set) var syncStates: [[UInt8]] = []
    private(set) var people: [InventedPerson] = []

    init(people count: Int) throws {
        store = try AttackedStore()
        try store.container.setDirectoryModes([.hashed, .private])
        try store.importPeople(0..<count) { !$0.isMultiple(of: 4) }
        for number in 0..<count {
            let person = InventedPerson(number)
            people.append(person)
            addresses.append(person.address)
            if number.isMultiple(of: 3) { addresses.append(person.otherAddress) }
            texts.formUnion([person.givenName, person.familyName, "\(person.givenName) \(person.familyName)"])
        }
        try use()
        // A second key of the private directory, while the first one still answers.
        _ = try store.container.renewPrivateKey()
        // The keys are being rotated when the thief comes, so that there are two of each.
        _ = try store.service.beginRotation(to: nil)
        for _ in 0..<count / 200 { _ = try store.service.rotateBatch() }
    }

    private mutating func use() throws {
        let chat = try store.service.createContainer("com.example.chat")
        for (number, person) in people.enumerated() where number.isMultiple(of: 5) {
            let account = try store.service.account(email: EmailAddress(person.address))
            let session = try store.container.session(for: account)
            // The numbers are chosen so that each state of an address occurs with each other kind of data.
            switch number / 5 % 9 {
            case 0: try saveRecords(session, person)
            case 1: try askForCode(account, person)
            case 2: try consent(chat.session(for: account), person)
            case 3: try discover(session, number)
            case 4: try rename(account, number)
            case 5: try account.suspend()
            case 7: try block(session, person)
            // Erases only in the first half. An erasure empties the write-ahead log, and later writes must stay in it.
            case 6: if number < people.count / 2 { _ = try account.erase() }
            default: try session.setDiscoverability(.denied, wording: AttackedStore.wording)
            }
        }
    }

    private mutating func saveRecords(_ session: Session, _ person: InventedPerson) throws {
        for database in DatabaseScope.allCases {
            var record = try session.fetchUserRecord(in: database)
            let motto = "Motto \(database) of \(person.givenName)"
            try record.set("motto", to: .string(motto))
            try record.set("places", to: .stringList([person.familyName + "burg", person.familyName + "stadt"]))
            try record.set("secret", to: .bytes(Array((person.givenName + "-secret").utf8)))
            _ = try session.save(record)
            texts.formUnion([
                motto, person.familyName + "burg", person.familyName + "stadt", person.givenName + "-secret",
            ])
        }
    }

    private mutating func askForCode(_ account: Account, _ person: InventedPerson) throws {
        let address = "new-\(person.otherAddress)"
        try account.addEmail(address)
        guard let mail = try account.requestVerification(of: EmailAddress(address)) else { return }
        addresses.append(address)
        texts.formUnion(["\(address) \(mail.code)", mail.code, mail.pass])
        if mail.code.last == "7" { _ = try account.verifyEmail(EmailAddress(address), code: mail.code) }
    }

    private mutating func consent(_ session: Session, _ person: InventedPerson) throws {
        let wording = "May friends find \(person.givenName) \(person.familyName) in this chat?"
        try session.setDiscoverability(.granted, wording: ConsentWording(wording, version: "chat-2026"))
        texts.insert(wording)
    }

    /// Discovers with a book of some people who are found and many strangers, of whom the store must keep no trace.
    private mutating func discover(_ session: Session, _ number: Int) throws {
        var book = ContactBook()
        for offset in 0..<20 {
            try book.add(email: InventedPerson(number + offset).address, label: "label-\(number)-\(offset)")
            try book.add(email: InventedPerson(StolenDatabase.firstStranger + number + offset).address)
        }
        syncStates.append(try session.discover(book).syncState)
        // This client's state contains contact hashes. It is on the client, so it is not stolen.
        _ = try session.discoverPrivately(book)
        _ = try session.discover(EmailAddress(InventedPerson(number + 1).address))
        _ = try session.discover(EmailAddress(InventedPerson(StolenDatabase.firstStranger + number).address))
        texts.insert("label-\(number)-")
    }

    /// The person blocks somebody, the operator blocks somebody else for the person, and looks up the person's account.
    private mutating func block(_ session: Session, _ person: InventedPerson) throws {
        let record = try session.userRecordID()
        try session.block(UserRecordID(.make()))
        try store.container.block(record, from: UserRecordID(.make()))
        let reason = "Somebody complained of \(person.givenName) \(person.familyName)."
        _ = try store.container.account(of: record, reason: reason)
        texts.insert(reason)
    }

    private mutating func rename(_ account: Account, _ number: Int) throws {
        let name = InventedPerson(5_000_000 + number)
        try account.setName(PersonName(givenName: name.givenName, familyName: name.familyName))
        texts.formUnion([name.givenName, name.familyName])
    }
}
