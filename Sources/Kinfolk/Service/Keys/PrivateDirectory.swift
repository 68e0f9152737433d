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
        let tag: DirectoryTag
        let record: UserRecordID
        let sealed: [UInt8]
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
        let rows = outputs.withUnsafeBytes { outputs in
            entries.indices.map { index in
                let start = index * OPRF.outputLength
                let output = UnsafeRawBufferPointer(rebasing: outputs[start..<start + OPRF.outputLength])
                return row(of: entries[index].record, output)
            }
        }
        return rows.sorted { $0.tag < $1.tag }
    }

    private func row(of record: UserRecordID, _ output: UnsafeRawBufferPointer) -> Row {
        let key = DirectoryRow.Key(output)
        var sealed = [UInt8](repeating: 0, count: DirectoryRow.sealedLength)
        sealed.withUnsafeMutableBytes { DirectoryRow.seal(record, key, at: place, into: $0) }
        return Row(tag: key.tag, record: record, sealed: sealed)
    }
}
