import Kinfolk
import KinfolkCrypto
import KinfolkStorage

/// A container with a private directory that is so large that the default number of bits is not zero. Some rows are of people; the
/// rest are random bytes, which look the same to anyone who does not know the addresses.
struct LargeDirectory {
    let store: AttackedStore
    /// The numbers of the people, each with one address at least.
    let people: Range<Int>
    let rows: Int
    let defaultBits: Int
    let key: OPRFKey

    static let epoch: UInt32 = 1

    init(_ length: Length) throws {
        people = 0..<length.choose(short: 2_000, long: 20_000)
        rows = length.choose(short: 100_000, long: 1_000_000)
        // floor(log2(rows / 16))
        defaultBits = length.choose(short: 12, long: 15)
        store = try AttackedStore()
        try store.container.setPermitLimit(AttackedStore.unlimited)
        try store.container.setDirectoryModes([.hashed, .private])
        // The directory is counted after every 64th row. Then the number of bits is updated.
        let last = people.suffix(64)
        try store.importPeople(people.dropLast(last.count)) { _ in true }
        try LargeDirectory.fill(store, until: rows - last.count)
        for number in last { _ = try store.discoverable(InventedPerson(number)) }
        key = try store.container.privateKey(ofEpoch: LargeDirectory.epoch)
        let epochs = try store.container.privateEpochs()
        guard epochs.map(\.rowCount) == [rows], epochs.map(\.prefixBits) == [defaultBits] else {
            throw ExperimentFailure("a directory of \(rows) rows does not choose \(defaultBits) bits")
        }
    }

    private static func fill(_ store: AttackedStore, until rows: Int) throws {
        let missing = try rows - (store.container.privateEpochs().first?.rowCount ?? 0)
        guard missing > 0 else { throw ExperimentFailure("there are too many people for the directory") }
        let rowKeys = try store.container.privateRowKeys(ofEpoch: epoch)
        try store.service.write { db in
            try db.execute(
                """
                INSERT INTO private_directory (container_id, epoch, bucket, tag, record_id, sealed_record, code)
                SELECT container_id, $1, $2, $3, $4, $5, $6 FROM containers WHERE name = $7
                """,
                for: 0..<missing
            ) { _ in
                let (bucket, tag, record) = (SecureRandom.bytes(4), SecureRandom.bytes(8), SecureRandom.bytes(16))
                let sealed = SecureRandom.bytes(SeenMessage.rowLength - 8)
                let code = tag.withUnsafeBytes { tag in
                    record.withUnsafeBytes { record in
                        sealed.withUnsafeBytes { sealed in
                            rowKeys.code(
                                bucket: bucket.reduce(0) { $0 << 8 | UInt32($1) },
                                tag: tag,
                                record: record,
                                sealed: sealed
                            )
                        }
                    }
                }
                return [
                    .integer(Int64(epoch)), .bytes(bucket), .bytes(tag), .bytes(record), .bytes(sealed),
                    .bytes(withUnsafeBytes(of: code.bigEndian, Array.init)), .text(AttackedStore.containerName),
                ]
            }
            try db.execute(
                """
                UPDATE directory_counts SET row_count = row_count + $1
                WHERE epoch > 0 AND lane = (SELECT min(lane) FROM directory_counts)
                """,
                .integer(Int64(missing))
            )
        }
    }

    /// A client whose contacts are invented people.
    static func client(
        _ contacts: some Sequence<Int>,
        in container: String = AttackedStore.containerName,
        fillerSecret: [UInt8]? = nil,
        state: [UInt8] = []
    ) throws -> PrivateDiscoveryClient {
        var book = ContactBook()
        for number in contacts { try book.add(hash: Guesser.hash(number)) }
        var client = try PrivateDiscoveryClient(container: container, fillerSecret: fillerSecret, state: state)
        client.setContacts(book)
        return client
    }

    /// Their label in the book.
    var description: String {
        "\(rows.grouped) rows (\(people.count.grouped) people, the rest random bytes)"
    }
}
