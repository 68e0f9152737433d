import Kinfolk
import KinfolkCrypto
import KinfolkStorage

/// A thief who has a private directory, but not the service key, cannot test an address against it.
struct PrivateDirectoryThief {
    private static let keyLength = 32

    private let populated: PopulatedStore

    init(_ populated: PopulatedStore) { self.populated = populated }

    func findings() throws -> [Finding] { [try keys(), try tags()] }

    private struct Epoch {
        let number: Int64
        let publicKey: [UInt8]
    }

    private func epochs() throws -> [Epoch] {
        let epochs = try populated.store.service.read { db in
            try db.all("SELECT epoch, public_key FROM directories WHERE epoch > 0 ORDER BY epoch") {
                Epoch(number: $0.integer(0), publicKey: $0.bytes(1))
            }
        }
        guard epochs.count == 2, epochs.allSatisfy({ $0.publicKey.count == PrivateDirectoryThief.keyLength }) else {
            throw ExperimentFailure("the store does not have two epochs of a private directory")
        }
        return epochs
    }

    /// All values that a thief may try as a key: those that do not belong to a person.
    private func values() throws -> [[UInt8]] {
        try populated.store.service.read { db in
            try db.all("SELECT sealed_seed FROM directories") { $0.bytes(0) }
                + db.all("SELECT public_key FROM directories") { $0.bytes(0) }
                + db.all("SELECT position FROM directories") { $0.bytes(0) }
                + db.all("SELECT value FROM service") { $0.bytes(0) }
                + db.all("SELECT sealed_key FROM root_keys") { $0.bytes(0) }
                + db.all("SELECT sealed_keys FROM lasting_keys") { $0.bytes(0) }
                + db.all("SELECT sealed_key FROM container_keys") { $0.bytes(0) }
        }
    }

    /// Whether any 32 bytes of these values are an epoch's key, or its seed. The stored public key tells.
    private func find(_ publicKeys: Set<[UInt8]>, in values: [[UInt8]]) throws -> (tried: Int, found: Int) {
        let infos = ["kinfolk/2/\(AttackedStore.containerName)", "kinfolk/2/bucket"].map { Array($0.utf8) }
        var (tried, found) = (0, 0)
        for value in values where value.count >= PrivateDirectoryThief.keyLength {
            for start in 0...value.count - PrivateDirectoryThief.keyLength {
                let bytes = Array(value[start..<start + PrivateDirectoryThief.keyLength])
                tried += 3
                let asSeeds = try infos.map { info in
                    try bytes.withUnsafeBytes { bytes in
                        try OPRFKey(seed: SecretKey(copying: bytes), info: info, mode: .voprf).publicKey.bytes
                    }
                }
                let asKey = try? bytes.withUnsafeBytes { try OPRFKey(scalar: $0, mode: .voprf).publicKey.bytes }
                if asSeeds.contains(where: publicKeys.contains) || asKey.map(publicKeys.contains) ?? false {
                    found += 1
                }
            }
        }
        return (tried, found)
    }

    private func keys() throws -> Finding {
        let epochs = try epochs()
        let published = try Set(epochs.map(\.publicKey)).union([populated.store.service.bucketPublicKey()])
        let (tried, found) = try find(published, in: values())
        // The search finds the key itself if it is added to the stolen values.
        let key = try populated.store.container.privateKey(ofEpoch: 1).withUnsafeBytes { [1, 2, 3] + $0 + [4] }
        guard try find(Set(epochs.map(\.publicKey)), in: [key]).found == 1 else {
            throw ExperimentFailure("a planted key was not found")
        }
        return Finding(
            "each 32 bytes of the store's keys, seeds and values as the key of the private directory: \(tried.grouped)",
            "\(found) found (one that was planted is found)",
            isHeld: found == 0
        )
    }

    private func tags() throws -> Finding {
        let epochs = try epochs()
        let rows = try populated.store.service.read { db in
            try db.all("SELECT tag FROM private_directory") { $0.bytes(0) }
        }
        let tags = Set(rows)
        var tried = 0
        var found: Set<String> = []
        func look(_ value: [UInt8], _ address: String) {
            tried += 2
            let tag = PrivateTag(output: value).tag
            let asTag = withUnsafeBytes(of: tag.bigEndian, Array.init)
            for candidate in [asTag, Array(value.prefix(8))] where tags.contains(candidate) { found.insert(address) }
        }
        for address in populated.addresses {
            let email = try EmailAddress(address)
            let hash = email.contactHash.withUnsafeBytes(Array.init)
            look(hash, address)
            for value in [Array(email.canonical.utf8), hash] {
                for digest in Digest.allCases {
                    look(digest.hash(value), address)
                    for epoch in epochs { look(digest.hash(epoch.publicKey + value), address) }
                }
            }
        }
        let people = try rowsRecoveredWithKey(tags)
        let isControlled = found.isEmpty ? try people > 0 && people == rowCount() : true
        guard isControlled else { throw ExperimentFailure("with the key \(people) rows were recovered") }
        return Finding(
            "\(populated.addresses.count.grouped) addresses, all of them right, against \(rows.count.grouped) private tags: "
                + "\((Double(tried) / 1_000_000).rounded(to: 1)) million tags made without the key",
            "\(found.count) addresses recovered (with the key, all \(people.grouped) of an epoch)",
            isHeld: found.isEmpty
        )
    }

    /// With the key the same search recovers everybody in the directory.
    private func rowsRecoveredWithKey(_ tags: Set<[UInt8]>) throws -> Int {
        let key = try populated.store.container.privateKey(ofEpoch: 2)
        let hashes = populated.addresses.compactMap { try? EmailAddress($0).contactHash }
        return Set(
            PrivateTag.tags(try Guesser(key).outputs(hashes)).map { tag in
                withUnsafeBytes(of: tag.bigEndian, Array.init)
            }
        ).intersection(tags).count
    }

    private func rowCount() throws -> Int {
        try populated.store.service.read { db in
            try db.first("SELECT CAST(sum(row_count) AS BIGINT) FROM directory_counts WHERE epoch = 2") {
                Int($0.integer(0))
            } ?? 0
        }
    }
}
