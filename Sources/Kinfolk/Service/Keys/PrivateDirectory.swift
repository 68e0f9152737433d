import KinfolkCrypto
import KinfolkThreads

/// One epoch of a container's private directory, with its key.
struct PrivateDirectory: Sendable {
    let epoch: UInt32
    /// Whether everybody who can be found is in it, so that it may be asked.
    let isComplete: Bool
    let key: OPRFKey
    /// Where its rows are sealed.
    let place: DirectoryRow.Place

    init(epoch: UInt32, isComplete: Bool, container: String, seed: SecretKey) throws {
        self.epoch = epoch
        self.isComplete = isComplete
        key = try OPRFKey(seed: seed, info: Array("kinfolk/1/\(container)".utf8), mode: .voprf)
        place = DirectoryRow.Place(container: container, epoch: epoch)
    }

    /// What its key seed is sealed with.
    static func place(ofSeedOf epoch: UInt32, in container: Int64) -> SealedPlace {
        SealedPlace("directories", "sealed_seed", row: .number(container), .number(Int64(epoch)))
    }

    /// Somebody who is to be found under a contact hash.
    struct Entry: Hashable, Sendable {
        let hash: [UInt8]
        let record: UserRecordID
    }

    /// A row that is ready for the table.
    struct Row: Sendable {
        private(set) var tag = DirectoryTag(0)
        let record: UserRecordID
        /// ``DirectoryRow/sealedLength`` bytes: many rows have no arrays of their own.
        private var sealedWords: (UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0)

        init(of record: UserRecordID) { self.record = record }

        var sealed: [UInt8] { withUnsafeBytes(of: sealedWords, Array.init) }

        mutating func seal(with key: DirectoryRow.Key, at place: DirectoryRow.Place) {
            tag = key.tag
            withUnsafeMutableBytes(of: &sealedWords) { DirectoryRow.seal(record, key, at: place, into: $0) }
        }
    }

    /// Makes rows, in the order of their tags, on so many threads.
    func rows(of entries: [Entry], threads: Int) throws -> [Row] {
        guard !entries.isEmpty else { return [] }
        let hashes = entries.flatMap(\.hash)
        var outputs = [UInt8](repeating: 0, count: OPRF.outputLength * entries.count)
        defer { outputs.withUnsafeMutableBytes(wipe) }
        try hashes.withUnsafeBytes { hashes in
            try outputs.withUnsafeMutableBytes { outputs in
                try key.evaluate(
                    OPRFInputs(hashes, length: ContactHash.byteCount),
                    into: outputs,
                    threads: threads
                )
            }
        }
        var rows = entries.map { Row(of: $0.record) }
        outputs.withUnsafeBytes { outputs in rows.withUnsafeMutableBufferPointer { seal($0, outputs, threads: threads) }
        }
        rows.sort { $0.tag < $1.tag }
        return rows
    }

    private func seal(_ rows: UnsafeMutableBufferPointer<Row>, _ outputs: UnsafeRawBufferPointer, threads: Int) {
        // Each thread has rows of its own.
        nonisolated(unsafe) let (rows, outputs) = (rows, outputs)
        Parallel.forEachPart(of: rows.count, sizes: PrivateDirectory.partSizes, threads: threads) { part in
            for index in part {
                let start = index * OPRF.outputLength
                let output = UnsafeRawBufferPointer(rebasing: outputs[start..<start + OPRF.outputLength])
                rows[index].seal(with: DirectoryRow.Key(output), at: place)
            }
        }
    }

    /// A row is sealed in some microseconds: so many are worth a thread.
    private static let partSizes = 128...2_048
}
