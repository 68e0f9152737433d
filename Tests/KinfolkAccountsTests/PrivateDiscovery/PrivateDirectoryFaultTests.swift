import KinfolkCrypto
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

@testable import Kinfolk

/// Private discovery with a damaged store, with a forged state, and with concurrent contradicting operators.
@Suite struct PrivateDirectoryFaultTests {
    private let store: TestService
    private let seeker: Session

    init() throws {
        store = try TestService()
        try store.container.setDirectoryModes([.hashed, .private])
        seeker = try store.session("Seeker", emails: "seeker@example.com")
    }

    private var book: ContactBook {
        get throws {
            var book = ContactBook()
            try book.add(email: "ada@example.com")
            return book
        }
    }

    /// A state contains its own secret, so anybody can forge a state with a valid checksum.
    @Test func aClientStateContinuesAfterTheLargestCounter() throws {
        let container = "com.example.notes"
        var bytes = ClientState(container: container).bytes
        let secretStart = 4 + 1 + container.utf8.count
        let secret = Array(bytes[secretStart..<secretStart + 32])
        let counter = secretStart + 32 + 32 + 4 + 32
        bytes.replaceSubrange(counter..<counter + 8, with: repeatElement(0xff, count: 8))
        bytes.removeLast(16)
        var check = [UInt8](repeating: 0, count: 16)
        secret.withUnsafeBytes { secret in
            bytes.withUnsafeBytes { bytes in
                check.withUnsafeMutableBytes {
                    HMACSHA512(key: secret).authenticate("kinfolk/2/state", bytes, into: $0)
                }
            }
        }
        _ = try store.discoverable("Ada", emails: "ada@example.com")
        #expect(try seeker.discoverPrivately(book, state: bytes + check).identities.map(\.name.givenName) == ["Ada"])
    }

    @Test(arguments: [Int64.max, Int64.min, 3 << 61])
    func damagedRowCountsCauseNoTrap(_ number: Int64) throws {
        try store.change("UPDATE directories SET prefix_bits = $1", .integer(number))
        try store.change(
            """
            INSERT INTO directory_counts (container_id, epoch, lane, row_count)
            SELECT container_id, epoch, $2, $1 FROM directories
            """,
            .integer(number),
            .integer(Int64(store.service.lane))
        )
        let ada = try store.discoverable("Ada", emails: "ada@example.com")
        try ada.setDiscoverability(.denied, wording: TestService.wording)
        #expect(try store.container.privateEpochs().allSatisfy { (0...32).contains($0.prefixBits) && $0.rowCount >= 0 })
    }

    @Test func anErasureReachesADirectoryThatIsBeingEmptied() throws {
        _ = try store.discoverable("Ada", emails: "ada@example.com")
        _ = try store.discoverable("Bob", emails: "bob@example.com")
        let container = store.container.number
        // The state that a process leaves if it dies after it ended both directories, and before it emptied them.
        try store.service.write { db in
            for epoch in [0, 1] as [UInt32] { try DirectoryEpochTable.set(.ending, [], of: epoch, in: container, db) }
            try KeyTable.renewStamp(db)
        }
        _ = try store.service.account(email: EmailAddress("ada@example.com")).erase()
        #expect(try store.number("SELECT count(*) FROM directory") == 1)
        #expect(try store.number("SELECT count(*) FROM private_directory") == 1)
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func anEditedRowIsNotAnswered() throws {
        let ada = try store.discoverable("Ada", emails: "ada@example.com")
        let bob = try store.discoverable("Bob", emails: "bob@example.com")
        #expect(try seeker.discoverPrivately(book).identities.count == 1)
        // An attacker assigns Ada's row to Bob, so that her block does not hide it. Likewise for all other columns of a row.
        try ada.block(seeker.userRecordID())
        let (adaID, bobID) = (try ada.userRecordID().value, try bob.userRecordID().value)
        for change in [
            "UPDATE private_directory SET record_id = $1 WHERE record_id = $2",
            "UPDATE private_directory SET sealed_record = CAST(substr(sealed_record, 1, 39) || substr($1, 1, 1) AS BLOB) WHERE record_id = $2",
            "UPDATE private_directory SET tag = CAST(substr(tag, 1, 7) || substr($1, 1, 1) AS BLOB) WHERE record_id = $2",
            "UPDATE private_directory SET bucket = CAST(substr(bucket, 1, 3) || substr($1, 1, 1) AS BLOB) WHERE record_id = $2",
            "UPDATE private_directory SET code = CAST(substr(code, 1, 7) || substr($1, 1, 1) AS BLOB) WHERE record_id = $2",
            "UPDATE private_directory SET code = substr($1, 1, 7) WHERE record_id = $2",
        ] as [StaticString] {
            try store.change("CREATE TABLE kept AS SELECT * FROM private_directory")
            try store.change(change, .id(bobID), .id(adaID))
            // The byte may have been the same by chance.
            let isChanged =
                try store.number(
                    """
                    SELECT count(*) FROM private_directory p WHERE NOT EXISTS (SELECT 1 FROM kept k WHERE k.bucket = p.bucket
                    AND k.tag = p.tag AND k.record_id = p.record_id AND k.sealed_record = p.sealed_record AND k.code = p.code)
                    """
                ) > 0
            if isChanged { expect(.storeCorrupt) { try seeker.discoverPrivately(book) } }
            try store.change("DELETE FROM private_directory")
            try store.change("INSERT INTO private_directory SELECT * FROM kept")
            try store.change("DROP TABLE kept")
        }
        #expect(try seeker.discoverPrivately(book).identities.count == 0)
    }

    @Test func concurrentContradictingModesLeaveADirectory() throws {
        _ = try store.discoverable("Ada", emails: "ada@example.com")
        try store.container.setDirectoryModes(.hashed)
        var other: DirectoryModes?
        expect(.conflict) {
            try store.container.setDirectoryModes(.private) { _ in
                // While the private directory is built, another operator chooses hashes only.
                guard other == nil else { return }
                other = .hashed
                try? store.container.setDirectoryModes(.hashed)
            }
        }
        #expect(other == .hashed)
        #expect(try store.container.directoryModes() == .hashed)
        #expect(try seeker.discover(EmailAddress("ada@example.com")) != nil)
    }
}
