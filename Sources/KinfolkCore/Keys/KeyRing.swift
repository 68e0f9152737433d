package import KinfolkCrypto
package import KinfolkModel
package import KinfolkStorage
import KinfolkThreads

/// The keys for one state of the store: of the current epoch and, during a key rotation, of the previous epoch.
package final class KeyRing: Sendable {
    /// The state of the store that these keys belong to.
    package let stamp: Tag
    /// Newest first; never empty.
    package let epochs: [EpochKeys]
    package let newest: EpochKeys
    /// For names, addresses and container keys.
    package let sealing: SealingKeys
    /// For sync states, including those of ended epochs.
    package let syncStates: SealingKeys
    /// For verification codes, including those of ended epochs. The newest key first.
    package let codes: [TagKey]
    /// The lasting keys of ended epochs.
    package let ended: [(epoch: Int64, keys: LastingKeys)]

    /// Whether a key rotation is in progress because the old key leaked.
    package let isLeaked: Bool

    /// The numbers of containers that are deleted or being deleted. Deleting a container renews the key stamp, so this set stays
    /// valid.
    private let endedContainers: Set<Int64>

    private let containers = Lock<[Int64: ContainerKeys]>([:])
    private let derived = Lock<[DerivedName: any AnyObject & Sendable]>([:])

    package init(
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
        // With a leaked key, sync states and codes can be forged, so old keys are not accepted.
        let lasting = isLeaked ? [newest.lasting] : epochs.map(\.lasting) + ended.map(\.keys)
        syncStates = SealingKeys(lasting.map(\.syncStates))
        codes = lasting.map(\.codes)
    }

    /// The tags of an address in the operator's tables, the tag of the newest epoch first. A row is stored under one of them.
    package func tags(of hash: [UInt8]) -> [Tag] { epochs.map { $0.emailTags.tag(hash) } }

    /// The authentication code of a row's content, under the newest epoch. The message begins with the name of the table, so that
    /// a code is valid in one table only.
    package func authenticationCode(of message: [UInt8]) -> Tag { newest.authentication.tag(message) }

    /// Whether the code is valid for a message, under the keys of any epoch that has not ended.
    package func isAuthentic(_ code: [UInt8], of message: [UInt8]) -> Bool {
        code.withUnsafeBytes(Tag.init).map { isAuthentic($0, of: message) } ?? false
    }

    /// Whether the code is valid, like the other overload. Without an array, for searches that check many codes.
    package func isAuthentic(_ code: Tag, of message: [UInt8]) -> Bool {
        let given = code.words
        var isRight = false
        // Compares with every epoch and all words, so that the time reveals neither which epoch matched nor where a code differs.
        for epoch in epochs {
            let words = epoch.authentication.tag(message).words
            let difference = (words.0 ^ given.0) | (words.1 ^ given.1)
            isRight = difference == 0 || isRight
        }
        return isRight
    }

    /// Throws if a container was deleted.
    package func requireInUse(_ container: Int64) throws(KinfolkError) {
        guard !endedContainers.contains(container) else {
            throw KinfolkError(.unknownItem, "The container was deleted.")
        }
    }

    /// The keys of a container, if they are cached.
    package func knownContainer(_ id: Int64) -> ContainerKeys? { containers.withLock { $0[id] } }

    /// The keys of a container. They are unsealed once and cached.
    package func container(_ id: Int64, _ db: Connection) throws -> ContainerKeys {
        if let known = knownContainer(id) { return known }
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

    private struct DerivedName: Hashable {
        let type: ObjectIdentifier
        let container: Int64
    }

    /// Keys of a container that an upper target derives, created once for this state of the store and cached. What they are made
    /// from may only change together with the key stamp.
    package func derived<Keys: AnyObject & Sendable>(
        _ type: Keys.Type,
        of container: Int64,
        make: () throws -> Keys
    ) rethrows -> Keys {
        let name = DerivedName(type: ObjectIdentifier(type), container: container)
        if let known = derived.withLock({ $0[name] }) { return unsafeDowncast(known, to: type) }
        let made = try make()
        derived.withLock { $0[name] = made }
        return made
    }
}
