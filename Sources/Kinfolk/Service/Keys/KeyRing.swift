import KinfolkCrypto
import KinfolkStorage
import KinfolkThreads

/// The keys as one state of the store has them: of the present epoch and, while keys are rotated, of the one before.
final class KeyRing: Sendable {
    /// The state of the store that these keys belong to.
    let stamp: Tag
    /// The newest first; never empty.
    let epochs: [EpochKeys]
    let newest: EpochKeys
    /// Names, addresses and container keys.
    let sealing: SealingKeys
    /// Sync states, those of ended epochs too.
    let syncStates: SealingKeys
    /// Verification codes, those of ended epochs too. The newest key first.
    let codes: [TagKey]
    /// What is kept of ended epochs.
    let ended: [(epoch: Int64, keys: LastingKeys)]

    /// Whether keys are being rotated because the old one leaked.
    let isLeaked: Bool

    /// The numbers of containers that are deleted, or being deleted: whoever deletes one renews the stamp.
    private let endedContainers: Set<Int64>

    private let containers = Lock<[Int64: ContainerKeys]>([:])
    private let directories = Lock<[Int64: Directories]>([:])

    init(
        stamp: Tag,
        newest: EpochKeys,
        before: [EpochKeys],
        ended: [(epoch: Int64, keys: LastingKeys)],
        isLeaked: Bool = false,
        endedContainers: Set<Int64> = []
    ) {
        self.isLeaked = isLeaked
        self.endedContainers = endedContainers
        self.stamp = stamp
        self.newest = newest
        self.ended = ended
        epochs = [newest] + before
        sealing = SealingKeys(epochs.map(\.sealing))
        // Whoever has a key that leaked could make sync states and codes of their own.
        let lasting = isLeaked ? [newest.lasting] : epochs.map(\.lasting) + ended.map(\.keys)
        syncStates = SealingKeys(lasting.map(\.syncStates))
        codes = lasting.map(\.codes)
    }

    /// By which the operator's tables know an address: the tag of the newest epoch first. A row stands under one of them.
    func tags(of hash: [UInt8]) -> [Tag] { epochs.map { $0.emailTags.tag(hash) } }

    /// The message authentication code of what a row says, under the newest epoch. What is authenticated begins with the name of
    /// its table, so that a code of one table is worth nothing in another.
    func authenticationCode(of message: [UInt8]) -> Tag { newest.authentication.tag(message) }

    /// Whether this is the code of a message, under the keys of any epoch that has not ended.
    func isAuthentic(_ code: [UInt8], of message: [UInt8]) -> Bool {
        code.withUnsafeBytes(Tag.init).map { isAuthentic($0, of: message) } ?? false
    }

    /// The same, for a search that checks many.
    func isAuthentic(_ code: Tag, of message: [UInt8]) -> Bool {
        let given = code.words
        var isRight = false
        // All of them, and all of each, so that the time does not tell which one it was, nor where it differs.
        for epoch in epochs {
            let words = epoch.authentication.tag(message).words
            let difference = (words.0 ^ given.0) | (words.1 ^ given.1)
            isRight = difference == 0 || isRight
        }
        return isRight
    }

    /// Throws if a container was deleted.
    func requireInUse(_ container: Int64) throws(KinfolkError) {
        guard !endedContainers.contains(container) else {
            throw KinfolkError(.unknownItem, "The container was deleted.")
        }
    }

    /// The keys of a container, unsealed once.
    func container(_ id: Int64, _ db: Connection) throws -> ContainerKeys {
        if let known = containers.withLock({ $0[id] }) { return known }
        let sealed = try KeyTable.containerKeys(id, db)
        guard !sealed.isEmpty else { throw KinfolkError(.unknownItem, "There is no such container.") }
        let keys = try ContainerKeys(
            sealed.map { row in
                var key = try sealing.open(row.key, at: ContainerKeys.place(ofKeyFor: id, in: row.epoch))
                defer { key.withUnsafeMutableBytes(wipe) }
                return try key.withUnsafeBytes(SecretKey.init(copying:))
            }
        )
        containers.withLock { $0[id] = keys }
        return keys
    }

    /// The directories of a container, and their keys, unsealed once: who changes which there are renews the stamp.
    func directories(of id: Int64, _ db: Connection) throws -> Directories {
        if let known = directories.withLock({ $0[id] }) { return known }
        let found = try Directories(of: id, self, db)
        directories.withLock { $0[id] = found }
        return found
    }
}
