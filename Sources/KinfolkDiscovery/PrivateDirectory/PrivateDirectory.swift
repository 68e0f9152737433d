import KinfolkContacts
package import KinfolkCrypto
package import KinfolkModel
package import KinfolkPrivateClient
import KinfolkThreads

/// One epoch of a container's private directory, with its keys.
package struct PrivateDirectory: Sendable {
    package enum State {
        /// All people who can be found are in it, so it may be searched.
        case complete
        /// People are being added.
        case building
        /// Its key leaked. It is searched until the next one is complete, but nobody is added.
        case frozen
    }

    package let epoch: UInt32
    package let state: State
    package let key: OPRFKey
    package let bucketKey: OPRFKey
    package let rowKeys: PrivateRowKeys
    /// The associated data under which its rows are sealed.
    package let place: DirectoryRow.Place

    /// Whether it may be searched.
    package var isComplete: Bool { state != .building }

    package init(
        epoch: UInt32,
        state: State,
        container: (number: Int64, name: String),
        seed: SecretKey,
        bucketKey: OPRFKey
    ) throws {
        self.epoch = epoch
        self.state = state
        self.bucketKey = bucketKey
        key = try PrivateDirectory.key(seed: seed, container: container.name)
        rowKeys = try PrivateRowKeys(seed: seed, container: container.number, epoch: epoch)
        place = DirectoryRow.Place(container: container.name, epoch: epoch)
    }

    /// The key with which an epoch evaluates OPRF requests.
    package static func key(seed: SecretKey, container: String) throws -> OPRFKey {
        try OPRFKey(seed: seed, info: Array("kinfolk/2/\(container)".utf8), mode: .voprf)
    }

    /// The associated data under which its key seed is sealed.
    package static func place(ofSeedOf epoch: UInt32, in container: Int64) -> SealedPlace {
        SealedPlace("directories", "sealed_seed", row: .number(container), .number(Int64(epoch)))
    }

    /// A person who can be found under a contact hash.
    package struct Entry: Hashable, Sendable {
        package let hash: [UInt8]
        package let record: UserRecordID

        package init(hash: [UInt8], record: UserRecordID) {
            self.hash = hash
            self.record = record
        }
    }

    /// A row that is ready to be inserted.
    package struct Row: Sendable {
        /// As stored in the table.
        package private(set) var bucket: UInt32 = 0
        package private(set) var tag = DirectoryTag(0)
        package let record: UserRecordID
        package private(set) var code: UInt64 = 0
        /// ``DirectoryRow/sealedLength`` bytes, inline so that many rows need no arrays.
        private var sealedWords: (UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0)

        package init(of record: UserRecordID) { self.record = record }

        package var bucketBytes: [UInt8] { withUnsafeBytes(of: bucket.bigEndian, Array.init) }
        package var sealed: [UInt8] { withUnsafeBytes(of: sealedWords, Array.init) }
        var codeBytes: [UInt8] { withUnsafeBytes(of: code.bigEndian, Array.init) }

        package mutating func seal(
            _ position: BucketPosition,
            with key: DirectoryRow.Key,
            _ rowKeys: PrivateRowKeys,
            at place: DirectoryRow.Place
        ) {
            bucket = rowKeys.stored(position.value)
            tag = key.tag
            withUnsafeMutableBytes(of: &sealedWords) { DirectoryRow.seal(record, key, at: place, into: $0) }
            code = withUnsafeBytes(of: tag.value.bigEndian) { tag in
                record.value.tag.withUnsafeBytes { record in
                    withUnsafeBytes(of: sealedWords) { sealed in
                        rowKeys.code(bucket: bucket, tag: tag, record: record, sealed: sealed)
                    }
                }
            }
        }
    }

    /// Creates rows, in the order of the table, on up to `threads` threads.
    package func rows(of entries: [Entry], threads: Int) throws -> [Row] {
        guard !entries.isEmpty else { return [] }
        let hashes = entries.flatMap(\.hash)
        var outputs = [UInt8](repeating: 0, count: OPRF.outputLength * entries.count)
        var bucketOutputs = outputs
        defer {
            outputs.withUnsafeMutableBytes(wipe)
            bucketOutputs.withUnsafeMutableBytes(wipe)
        }
        try hashes.withUnsafeBytes { hashes in
            try outputs.withUnsafeMutableBytes { outputs in
                try bucketOutputs.withUnsafeMutableBytes { bucketOutputs in
                    try key.evaluate(
                        OPRFInputs(hashes, length: ContactHash.byteCount),
                        into: outputs,
                        and: bucketKey,
                        into: bucketOutputs,
                        threads: threads
                    )
                }
            }
        }
        var rows = entries.map { Row(of: $0.record) }
        outputs.withUnsafeBytes { outputs in
            bucketOutputs.withUnsafeBytes { bucketOutputs in
                rows.withUnsafeMutableBufferPointer { seal($0, outputs, bucketOutputs, threads: threads) }
            }
        }
        rows.sort { ($0.bucket, $0.tag.value) < ($1.bucket, $1.tag.value) }
        return rows
    }

    private func seal(
        _ rows: UnsafeMutableBufferPointer<Row>,
        _ outputs: UnsafeRawBufferPointer,
        _ bucketOutputs: UnsafeRawBufferPointer,
        threads: Int
    ) {
        // Each thread writes to different rows.
        nonisolated(unsafe) let (rows, outputs, bucketOutputs) = (rows, outputs, bucketOutputs)
        Parallel.forEachPart(of: rows.count, sizes: PrivateDirectory.partSizes, threads: threads) { part in
            for index in part {
                let output = index * OPRF.outputLength..<(index + 1) * OPRF.outputLength
                rows[index].seal(
                    BucketPosition(output: UnsafeRawBufferPointer(rebasing: bucketOutputs[output])),
                    with: DirectoryRow.Key(UnsafeRawBufferPointer(rebasing: outputs[output])),
                    rowKeys,
                    at: place
                )
            }
        }
    }

    /// Rows per thread: a row is sealed in a few microseconds, so a thread needs this many to be worth its cost.
    private static let partSizes = 128...2_048
}
