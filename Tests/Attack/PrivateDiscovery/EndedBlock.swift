import Kinfolk
import KinfolkStorage

/// Whether a client can distinguish the end of a block from a person who was absent for another reason.
struct EndedBlock {
    private static let people = 6_000..<6_040

    /// What a client sees that searches before, while and after a person is absent.
    private struct View {
        /// Rows that are there again, with the same bytes.
        var oldRows = 0
        /// Rows that are there after it, and were not there before.
        var newRows = 0
        /// Rows that are missing during the absence.
        var goneRows = 0
        var changedBuckets = 0
        var isFound = false
    }

    private let store: AttackedStore
    private let book: ContactBook

    init() throws {
        store = try AttackedStore()
        try store.container.setDirectoryModes(.private)
        var book = ContactBook()
        for number in EndedBlock.people { try book.add(email: InventedPerson(number).address) }
        self.book = book
    }

    func finding() throws -> Finding {
        let seeker = try store.discoverable(InventedPerson(Suspects.seekers))
        let people = try EndedBlock.people.map { try store.discoverable(InventedPerson($0)) }
        let blocked = try view(seeker, people[3]) { person in
            try person.block(seeker.userRecordID())
            return { try person.unblock(seeker.userRecordID()) }
        }
        let revoked = try view(seeker, people[4]) { person in
            try person.setDiscoverability(.denied, wording: AttackedStore.wording)
            return { try person.setDiscoverability(.granted, wording: AttackedStore.wording) }
        }
        return Finding(
            "a person is blocked and unblocked; another revokes and grants: searches before, during and after",
            "\(blocked.oldRows) and \(revoked.oldRows) old rows back, \(blocked.newRows) and \(revoked.newRows) new, "
                + "\(blocked.goneRows) and \(revoked.goneRows) missing meanwhile, \(blocked.changedBuckets) and "
                + "\(revoked.changedBuckets) buckets changed",
            isHeld: blocked.oldRows == 0 && revoked.oldRows == 0 && blocked.newRows == revoked.newRows
                && blocked.goneRows == revoked.goneRows && blocked.changedBuckets == revoked.changedBuckets
                && blocked.isFound && revoked.isFound
        )
    }

    private func view(
        _ seeker: Session,
        _ person: Session,
        _ leave: (Session) throws -> () throws -> Void
    ) throws -> View {
        let record = try person.userRecordID()
        var client = try PrivateDiscoveryClient(container: AttackedStore.containerName)
        client.setContacts(book)
        let before = try Conversation(&client, with: seeker).rows
        let comeBack = try leave(person)
        client.begin()
        let meanwhile = try Conversation(&client, with: seeker)
        guard !client.matches.map(\.userRecordID).contains(record) else {
            throw ExperimentFailure("a person who is absent was found")
        }
        try comeBack()
        client.begin()
        let after = try Conversation(&client, with: seeker)
        let back = after.rows.subtracting(meanwhile.rows)
        return View(
            oldRows: back.intersection(before).count,
            newRows: back.subtracting(before).count,
            goneRows: before.subtracting(meanwhile.rows).count,
            changedBuckets: meanwhile.sentBuckets + after.sentBuckets,
            isFound: client.matches.map(\.userRecordID).contains(record)
        )
    }
}
