import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

@testable import Kinfolk

/// Rows are resealed when a block ends, and some at random times, so that one cannot be distinguished from the other.
@Suite struct PrivateCoverTests {
    private let store: TestService
    private let seeker: Session

    init() throws {
        store = try TestService()
        try store.container.setDirectoryModes([.hashed, .private])
        seeker = try store.discoverable("Seeker", emails: "seeker@example.com")
    }

    private struct Row: Hashable {
        let epoch: Int64
        let record: [UInt8]
        let sealed: [UInt8]
    }

    private func rows() throws -> Set<Row> {
        Set(
            try store.service.read { db in
                try db.all("SELECT epoch, record_id, sealed_record FROM private_directory") {
                    Row(epoch: $0.integer(0), record: $0.bytes(1), sealed: $0.bytes(2))
                }
            }
        )
    }

    /// The user record IDs whose rows have changed, in the order of the epochs.
    private func changed(since before: Set<Row>) throws -> [Int64: Set<[UInt8]>] {
        Dictionary(grouping: try rows().subtracting(before), by: \.epoch).mapValues { Set($0.map(\.record)) }
    }

    @Test func endingABlockResealsTheRowsOfBothPeopleInEachEpoch() throws {
        let ada = try store.discoverable("Ada", emails: "ada@example.com", "ada@example.org")
        _ = try store.discoverable("Bob", emails: "bob@example.com")
        _ = try store.container.renewPrivateKey()
        let building = try store.container.beginPrivateEpoch()
        while try store.container.buildBatch(of: building, size: 2) != nil {}
        let both: Set = [try ada.userRecordID().value.bytes, try seeker.userRecordID().value.bytes]

        try ada.block(seeker.userRecordID())
        var before = try rows()
        try ada.unblock(seeker.userRecordID())
        #expect(try changed(since: before) == [1: both, 2: both, 3: both])
        #expect(try rows().count == before.count)
        #expect(try seeker.discoverPrivately(book("ada@example.org")).identities.count == 1)

        // Without a private directory nothing happens.
        before = try rows()
        try ada.unblock(seeker.userRecordID())
        try store.container.unblock(ada.userRecordID(), from: seeker.userRecordID())
        #expect(try rows() == before)

        try store.container.block(ada.userRecordID(), from: seeker.userRecordID())
        try store.container.unblock(seeker.userRecordID(), from: ada.userRecordID())
        #expect(try changed(since: before) == [1: both, 2: both, 3: both])
    }

    @Test func rowsAreResealedAtRandomTimes() throws {
        for number in 0..<40 { _ = try store.discoverable("P\(number)", emails: "p\(number)@example.com") }
        _ = try store.container.renewPrivateKey()
        let before = try rows()
        var changes = 0
        var last = before
        var pairs = 0
        // Each write lets the service check the clock.
        for _ in 0..<24 * 6 * 4 {
            store.clock.advance(seconds: 600)
            try store.container.setPrefixBits(nil)
            let now = try changed(since: last)
            guard !now.isEmpty else { continue }
            #expect(now[1] == now[2], "in all epochs")
            changes += 1
            pairs += now[1].map { ($0.count + 1) / 2 } ?? 0
            last = try rows()
        }
        // Eight pairs a day on average, for four days. These bounds are not exceeded by chance.
        #expect((8...64).contains(pairs), "\(pairs)")
        #expect(changes > 6, "at many moments")
        #expect(try rows().count == before.count)
        #expect(try seeker.discoverPrivately(book("p7@example.com")).identities.count == 1)
    }
}
