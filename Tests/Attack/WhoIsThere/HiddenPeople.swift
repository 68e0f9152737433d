import Kinfolk
import KinfolkStorage

/// People of every kind that the seeker may not find, and some that the seeker may find.
struct HiddenPeople {
    struct Kind {
        let name: String
        let emails: [EmailAddress]
        let records: [UserRecordID]
    }

    let store: AttackedStore
    let seeker: Session
    /// The people who cannot be found, either by an address or by a record ID.
    let kinds: [Kind]
    let found: Kind

    private static let seekersNumber = 50_000

    /// Makes this many people of each kind, and others.
    init(each count: Int) throws {
        store = try AttackedStore()
        try store.container.setPermitLimit(AttackedStore.unlimited)
        try store.importPeople(0..<2_000) { !$0.isMultiple(of: 4) }
        let seeker = try store.session(InventedPerson(HiddenPeople.seekersNumber))
        self.seeker = seeker
        var builder = Builder(store: store, count: count)
        let chat = try store.service.createContainer("com.example.chat")
        let store = store
        kinds = [
            builder.unknown(),
            try builder.kind("not opted in") { try store.session($0) },
            try builder.kind("denied") { person in
                let session = try store.session(person)
                try session.setDiscoverability(.denied, wording: AttackedStore.wording)
                return session
            },
            try builder.kind("suspended") { person in
                let session = try store.discoverable(person)
                try store.account(of: session).suspend()
                return session
            },
            try builder.kind("erased") { person in
                try store.discoverable(person)
            } afterwards: { session in
                _ = try store.account(of: session).erase()
            },
            try builder.kind("other container") { try store.discoverable($0, in: chat) },
            try builder.kind("blocked") {
                try store.discoverable($0)
            } afterwards: { session in
                try seeker.block(session.userRecordID())
            },
            try builder.kind("blocks") { person in
                let session = try store.discoverable(person)
                try session.block(seeker.userRecordID())
                return session
            },
            try builder.kind("operator's block") {
                try store.discoverable($0)
            } afterwards: { session in
                try store.container.block(session.userRecordID(), from: seeker.userRecordID())
            },
        ]
        found = try builder.kind("found") { try store.discoverable($0) }
    }

    /// Rotates the keys of about half of the people, and stops there.
    func rotateHalf() throws {
        _ = try store.service.beginRotation(to: nil)
        let accounts = try store.service.read { db in
            try db.first("SELECT count(*) FROM accounts") { Int($0.integer(0)) } ?? 0
        }
        var done = 0
        while done < accounts / 2, let batch = try store.service.rotateBatch() { done += batch }
    }

    private struct Builder {
        let store: AttackedStore
        let count: Int
        private var next = HiddenPeople.seekersNumber + 1

        init(store: AttackedStore, count: Int) {
            self.store = store
            self.count = count
        }

        mutating func kind(
            _ name: String,
            _ make: (InventedPerson) throws -> Session,
            afterwards: (Session) throws -> Void = { _ in }
        ) throws -> Kind {
            var emails: [EmailAddress] = []
            var records: [UserRecordID] = []
            for _ in 0..<count {
                let person = InventedPerson(next)
                next += 1
                let session = try make(person)
                emails.append(try EmailAddress(person.address))
                records.append(try session.userRecordID())
                try afterwards(session)
            }
            return Kind(name: name, emails: emails, records: records)
        }

        mutating func unknown() -> Kind {
            let people = (0..<count).map { InventedPerson(next + $0) }
            next += count
            return Kind(
                name: "unknown",
                emails: people.compactMap { try? EmailAddress($0.address) },
                records: people.map { _ in UserRecordID(.make()) }
            )
        }
    }
}
