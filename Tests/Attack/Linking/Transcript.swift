import Kinfolk

/// Everything that a session of one person in one container can read.
struct Transcript {
    /// Small, so that the test can reach the limits.
    static let limit = PermitLimit(capacity: 50, perHour: 10)

    /// What was read, as text or bytes, with the name of the call.
    private(set) var entries: [(name: String, bytes: [UInt8])] = []
    let record: UserRecordID
    let createdAt: Timestamp
    private(set) var changeTags: [String] = []
    private(set) var syncState: [UInt8] = []
    /// The export that the application may give to the person.
    let export: String

    init(_ session: Session, friends: [EmailAddress]) throws {
        record = try session.userRecordID()
        export = try session.export()
        createdAt = try session.fetchUserRecord().createdAt ?? .now
        add("record ID", record.description)
        add("status", "\(session.accountStatus())")
        add("discoverability", "\(try session.discoverability())")
        for database in DatabaseScope.allCases {
            try addRecord("\(database) record", session.fetchUserRecord(in: database))
        }
        try addDiscoveries(session, friends)
        add("blocked", "\(try session.blockedUserRecordIDs())")
        addErrors(session)
    }

    private mutating func add(_ name: String, _ text: String) { add(name, Array(text.utf8)) }

    private mutating func add(_ name: String, _ bytes: [UInt8]) { entries.append((name, bytes)) }

    private mutating func add(_ name: String, _ time: Timestamp) {
        add(name, time.description)
        add(name, String(time.microseconds))
        add(name, withUnsafeBytes(of: time.microseconds.littleEndian, Array.init))
        add(name, withUnsafeBytes(of: time.microseconds.bigEndian, Array.init))
    }

    private mutating func addRecord(_ name: String, _ record: Record) throws {
        add(name + ", ID", record.id.user.map { Array($0.value.bytes) } ?? [])
        add(
            name + ", creators",
            [record.createdBy, record.modifiedBy].compactMap { $0?.description }.joined(separator: " ")
        )
        if let created = record.createdAt { add(name + ", created", created) }
        if let modified = record.modifiedAt { add(name + ", modified", modified) }
        let tag = record.changeTag ?? ""
        add(name + ", change tag", tag)
        add(name + ", change tag", Hexadecimal.bytes(tag.utf8) ?? [])
        add(name + ", keys", "\(record.keys)")
        for key in record.keys { add(name + ", field", record[key]?.shown ?? "") }
        changeTags.append(tag)
    }

    private mutating func addDiscoveries(_ session: Session, _ friends: [EmailAddress]) throws {
        var book = ContactBook()
        for friend in friends { try book.add(hash: friend.contactHash) }
        let discovery = try session.discover(book)
        syncState = discovery.syncState
        add("sync state", discovery.syncState)
        for identity in discovery.identities {
            add("identity", identity.shown)
        }
        add("empty sync state", try session.discover(ContactBook()).syncState)
        add("oneself", try session.discover(record).shown)
    }

    /// The errors of calls that fail.
    private mutating func addErrors(_ session: Session) {
        let record = record
        refused("unknown record") { try session.fetchUserRecord(UserRecordID("_" + String(repeating: "5", count: 32))) }
        refused("somebody's private record") {
            try session.fetchUserRecord(UserRecordID("_" + String(repeating: "5", count: 32)), in: .private)
        }
        refused("stale record") {
            let stale = try session.fetchUserRecord()
            _ = try session.save(stale, policy: .allKeys)
            return try session.save(stale)
        }
        refused("malformed field") {
            var mine = try session.fetchUserRecord(record)
            try mine.set("no field", to: .int64(1))
            return mine
        }
        refused("undetermined") {
            try session.setDiscoverability(.undetermined, wording: AttackedStore.wording)
        }
        refused("blocking oneself") { try session.block(record) }
        refused("too many contacts") {
            var candidates = Candidates(seed: 1)
            return try session.discover(candidates.book(Int(Transcript.limit.capacity) + 1))
        }
        refused("too many for now") {
            var candidates = Candidates(seed: 2)
            return try session.discover(candidates.book(Int(Transcript.limit.capacity)))
        }
    }

    private mutating func refused(_ name: String, _ body: () throws -> some Any) {
        do {
            _ = try body()
            add(name, "not refused")
        } catch let error as KinfolkError {
            add(name, "\(error) \(error.retryAfter ?? 0)")
            if let server = error.serverRecord { try? addRecord(name, server) }
        } catch { add(name, "\(error)") }
    }
}
