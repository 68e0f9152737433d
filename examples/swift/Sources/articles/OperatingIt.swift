import Kinfolk

func operatingIt(_ notes: Container) throws {
    let service = notes.service
    try service.backUp(to: "copy.db")

    let check = try service.check()
    for finding in check.findings { print(finding.table, finding.kind, finding.times) }

    let rotation = try service.rotateKeys()
    print("Accounts sealed again:", rotation.accounts)
    if rotation.oldKeyPath != nil { print("Copies from before need the old key") }

    try notes.setPermitLimit(PermitLimit(capacity: 5_000, perHour: 5))

    let now = try notes.statistics()
    print("Opted in:", now.granted, "of", now.people)
    for end in now.optedIn { print(end.day, end.people) }
    print("Without a permit:", now.peopleWithoutPermits)

    let ada = try service.account(email: EmailAddress("ada@example.com"))
    let id = try notes.session(for: ada).userRecordID()
    let subject = try notes.account(of: id, reason: "Ticket 12")
    try subject.suspend()
    try subject.resume()
    for entry in try service.auditLog() {
        print(entry.container, entry.reason ?? "erased since")
    }

    let everything = try subject.export()  // JSON, for the person
    print("Exported:", everything.isEmpty ? "nothing" : "all")
    let erasure = try subject.erase()
    print("Erased records:", erasure.records, erasure.isPending ? "(pending)" : "")
}

func keys(_ fromKMS: [UInt8], _ passphrase: String) throws {
    let beside = try Service.open("kinfolk.db")  // kinfolk.key
    let elsewhere = try Service.open("kinfolk.db", key: .file("/etc/notes/kinfolk.key"))
    let fromHost = try Service.open("kinfolk.db", key: .bytes(fromKMS))
    let typed = try Service.open("kinfolk.db", key: .passphrase(passphrase))
    _ = (beside, elsewhere, fromHost, typed)
}
