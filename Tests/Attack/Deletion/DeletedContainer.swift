import Foundation
import Kinfolk
import KinfolkStorage
import TestSupport

/// Nothing of a deleted container is left in the store's files. Nobody can find anybody through it, or through a new container
/// with the same name.
struct DeletedContainer: Experiment {
    let name = "deletion"
    let promise = "deleted container"

    func run(_ length: Length) throws -> [Finding] {
        let store = try AttackedStore()
        let people = length.choose(short: 500, long: 20_000)
        try store.container.setPermitLimit(AttackedStore.unlimited)
        try store.importPeople(0..<people) { _ in true }
        try store.container.setDirectoryModes([.hashed, .private])
        let seekers = try (0..<5).map { try store.discoverable(InventedPerson(people + $0)) }
        for seeker in seekers {
            var record = try seeker.fetchUserRecord()
            try record.set("note", to: .string("\(try seeker.userRecordID())"))
            _ = try seeker.save(record)
        }
        let elsewhere = try store.reopened()
        let others = try seekers.compactMap(\.account).map { account in
            try elsewhere.container(AttackedStore.containerName).session(for: elsewhere.account(account))
        }
        let traces = try traces(store)
        let before = try store.folder.allBytes()
        guard traces.allSatisfy({ before.range(of: $0) != nil }) else {
            throw ExperimentFailure("no traces to look for")
        }

        let sessions = seekers + others
        let request = try request()
        guard answers(sessions, request) == sessions.count * DeletedContainer.callCount else {
            throw ExperimentFailure("some calls failed before the deletion")
        }

        let deletion = try store.service.deleteContainer(AttackedStore.containerName)
        let after = try store.folder.allBytes()
        let left = traces.count { after.range(of: $0) != nil }
        let first = answers(sessions, request)
        let again = try store.service.createContainer(AttackedStore.containerName)
        let second = answers(sessions, request)
        let newcomer = try again.session(for: store.account(InventedPerson(people + 10)))
        let found = try (0..<50).count { number in
            try newcomer.discover(EmailAddress(InventedPerson(number).address)) != nil
        }
        return [
            Finding(
                "\(deletion.people.grouped) people, deleted: \(traces.count.grouped) of its sealed values, tags and IDs in the files",
                "\(left) left" + (deletion.isPending ? ", and more may be" : ""),
                isHeld: left == 0 && !deletion.isPending
            ),
            Finding(
                "\(sessions.count) old sessions, in two services, before and after the name is used again",
                "\(first + second) calls answered",
                isHeld: first + second == 0
            ),
            Finding(
                "a new account in the new container of the same name searches for 50 people of the old one",
                "\(found) found",
                isHeld: found == 0
            ),
        ]
    }

    /// The first request of a private discovery.
    private func request() throws -> [UInt8] {
        var client = try PrivateDiscoveryClient(container: AttackedStore.containerName)
        var book = ContactBook()
        try book.add(email: InventedPerson(1).address)
        client.setContacts(book)
        guard let request = try client.nextRequest() else { throw ExperimentFailure("no request") }
        return request
    }

    private static let callCount = 7

    /// How many calls of the sessions succeed, of ``callCount`` for each session.
    private func answers(_ sessions: [Session], _ request: [UInt8]) -> Int {
        sessions.reduce(0) { count, session in
            let calls: [() throws -> Void] = [
                { _ = try session.discover(EmailAddress(InventedPerson(1).address)) },
                { _ = try session.userRecordID() }, { _ = try session.fetchUserRecord() },
                { _ = try session.blockedUserRecordIDs() }, { _ = try session.export() },
                { _ = try session.container.statistics() }, { _ = try session.answer(request) },
            ]
            return count + calls.count { call in (try? call()) != nil }
        }
    }

    /// Bytes to search for in the files: some values from each table.
    private func traces(_ store: AttackedStore) throws -> [Data] {
        let queries: [StaticString] = [
            "SELECT record_id, mac FROM users WHERE container_id = 1 LIMIT 200",
            "SELECT tag, record_id FROM directory WHERE container_id = 1 LIMIT 200",
            "SELECT sealed_record, sealed_record FROM private_directory WHERE container_id = 1 LIMIT 200",
            "SELECT record_id, sealed_identity FROM identities WHERE container_id = 1 LIMIT 200",
            "SELECT change_tag, sealed_fields FROM records WHERE container_id = 1",
            "SELECT wording_id, sealed_wording FROM wordings WHERE container_id = 1",
            "SELECT chain, chain FROM consents WHERE container_id = 1 LIMIT 200",
            "SELECT sealed_key, sealed_key FROM container_keys WHERE container_id = 1",
            "SELECT sealed_seed, public_key FROM directories WHERE container_id = 1 AND epoch > 0",
        ]
        return try store.service.read { db in
            try queries.flatMap { query in
                try db.all(query) { row in [row.bytes(0), row.bytes(1)] }.flatMap(\.self)
            }
        }.map { Data($0) }
    }
}
