import KinfolkAccounts
import KinfolkCore
import KinfolkCrypto
import KinfolkFiles
import KinfolkModel
import KinfolkStorage

extension Keychain {
    /// A rotation that was begun or resumed.
    struct Begun {
        /// The epoch under whose keys everything will be.
        let epoch: Int64
        /// The path of the file that keeps the old key, if there is one.
        let oldKeyPath: FilePath?
    }

    /// Begins or resumes a rotation, and uses the new service key from then on.
    func begin(to target: KeySource?, isLeaked: Bool, in store: Store) throws -> Begun {
        // Checked before a new key file is created.
        guard !store.isReadOnly else { throw StorageError(.readOnly) }
        guard let target = target?.resolved else {
            guard let path = try source.keyPath(forStore: storePath) else {
                throw KinfolkError(.invalidArgument, "The current key is not in a file, so the new key must be given.")
            }
            return try replaceKeyFile(KeyFile.followed(path), isLeaked: isLeaked, in: store)
        }
        try target.validate()
        let key: SecretKey
        if let file = try target.keyPath(forStore: storePath) {
            key = try KeyFile.read(file) ?? KeyFile.make(file)
        } else {
            if case .passphrase = target.kind { _ = try store.write(KeySource.newPassphrase) }
            key = try target.key(of: store)
        }
        let newKey = try ServiceKey(key)
        let epoch = try begin(with: newKey, isLeaked: isLeaked, in: store)
        replace(with: newKey, from: target)
        return Begun(epoch: epoch, oldKeyPath: nil)
    }

    /// The new key is in a file of its own before the store uses it, and replaces the old key file afterwards: whenever this is
    /// interrupted, the key file opens the store.
    private func replaceKeyFile(_ path: FilePath, isLeaked: Bool, in store: Store) throws -> Begun {
        // Another process that did the same at the same time would find an intermediate state.
        try KeyFile.alone(inFolderOf: path) {
            let draft = KeyFile.draft(for: path)
            if try KeyFile.read(draft, as: .nextKey) == nil,
                let begun = try goOn(with: path, isLeaked: isLeaked, in: store)
            {
                return begun
            }
            let key = try ServiceKey(KeyFile.read(draft, as: .nextKey) ?? KeyFile.make(draft, as: .nextKey, like: path))
            let epoch = try begin(with: key, isKnown: true, isLeaked: isLeaked, in: store)
            let old = try KeyFile.replace(path, by: draft, keeping: path + ".\(epoch - 1)")
            replace(with: key)
            return Begun(epoch: epoch, oldKeyPath: old)
        }
    }

    /// Resumes a rotation that was interrupted after the new key file was put in place. The file may be newer than the key with
    /// which this service was opened. Nil if there is no such rotation, or its new key is not in this file.
    private func goOn(with path: FilePath, isLeaked: Bool, in store: Store) throws -> Begun? {
        guard let key = try KeyFile.read(path).map(ServiceKey.init) else { return nil }
        let isNewKey = try store.read { db in
            guard try ServiceTable.value("rotation", db) != nil else { return false }
            let rows = try KeyTable.rootKeys(db)
            return rows.contains { $0.epoch == rows.first?.epoch && $0.sealedUnder == key.check }
        }
        guard isNewKey else { return nil }
        let epoch = try begin(with: key, isKnown: true, isLeaked: isLeaked, in: store)
        replace(with: key)
        return Begun(epoch: epoch, oldKeyPath: try keptKeyFile(path + ".\(epoch - 1)", in: store))
    }

    /// The file that keeps the key from before the rotation in progress.
    private func keptKeyFile(_ old: FilePath, in store: Store) throws -> FilePath? {
        let openers = Set(try store.read(KeyTable.rootKeys).map(\.sealedUnder))
        return KeyFile.names(of: old).first { name in
            // A file of that name may belong to another store, or contain no key.
            guard let key = try? KeyFile.read(name).map(ServiceKey.init) else { return false }
            return openers.contains(key.check)
        }
    }

    /// Adds an epoch whose root key is sealed under the new service key, unless a rotation is already in progress. During the
    /// rotation, each root key is also sealed under the other. So either service key opens both, and so does a service that has
    /// one of them in memory.
    ///
    /// If the old key leaked, it must not open the new one: the new root key is then sealed only under the new service key, and
    /// the lasting keys of ended epochs are deleted at once.
    ///
    /// - Parameter isKnown: Whether the key may already open the newest epoch: a rotation to it was begun before, and another
    ///   process may have ended it.
    /// - Returns: The newest epoch.
    private func begin(
        with key: ServiceKey,
        isKnown: Bool = false,
        isLeaked: Bool,
        in store: Store
    ) throws -> Int64 {
        try store.write(isLarge: true) { db in
            let present = try ring(db)
            let rows = try KeyTable.rootKeys(db)
            let opensNewest = rows.contains { $0.epoch == present.newest.epoch && $0.sealedUnder == key.check }
            if try ServiceTable.value("rotation", db) != nil {
                guard !isLeaked || present.isLeaked else { throw Keychain.plannedOne }
                guard !opensNewest else { return present.newest.epoch }
                // This is the old key, which must not open anything after the rotation.
                guard !rows.contains(where: { $0.sealedUnder == key.check }) else { throw Keychain.presentKey }
                // A different new key than the one with which the rotation began, which may be lost.
                let roots = Set(present.epochs.map(\.check))
                for row in rows where row.epoch == present.newest.epoch && !roots.contains(row.sealedUnder) {
                    try KeyTable.deleteRootKey(row.epoch, sealedUnder: row.sealedUnder, db)
                }
                try KeyTable.insert(present.newest, sealedUnder: key.check, key.sealing, db)
                return present.newest.epoch
            }
            if opensNewest && isKnown { return present.newest.epoch }
            guard !opensNewest else { throw Keychain.presentKey }
            let old = present.newest
            let new = try EpochKeys(epoch: old.epoch + 1, root: .random())
            try KeyTable.insert(new, sealedUnder: key.check, key.sealing, db)
            try KeyTable.insert(old, sealedUnder: new.check, new.rootSealing, db)
            if isLeaked {
                try KeyTable.deleteLastingKeys(db)
            } else {
                try KeyTable.insert(new, sealedUnder: old.check, old.rootSealing, db)
                // The lasting keys of ended epochs are sealed under the newest epoch.
                for (epoch, keys) in present.ended {
                    try KeyTable.setLastingKeys(keys.sealed(of: epoch, under: new.rootSealing), of: epoch, db)
                }
            }
            try KeyTable.setLeaked(isLeaked, db)
            for container in try ContainerTable.all(db) { try new.makeContainerKey(for: container.number, db) }
            try ServiceTable.set("rotation", [], db)
            try KeyTable.renewStamp(db)
            return new.epoch
        }
    }

    private static var presentKey: KinfolkError {
        KinfolkError(.invalidArgument, "The new key is the same as the current one.")
    }

    private static var plannedOne: KinfolkError {
        KinfolkError(
            .conflict,
            "A planned rotation is in progress, and the old key opens its new key. Finish it, and then rotate again."
        )
    }

    /// Ends all epochs before the newest. Call this in the transaction that found that nothing is left of them.
    func end(_ keys: KeyRing, _ db: Connection) throws {
        for epoch in keys.epochs.dropFirst() {
            if !keys.isLeaked {
                let sealed = epoch.lasting.sealed(of: epoch.epoch, under: keys.newest.rootSealing)
                try KeyTable.setLastingKeys(sealed, of: epoch.epoch, db)
            }
            try KeyTable.deleteRootKey(keys.newest.epoch, sealedUnder: epoch.check, db)
        }
        try KeyTable.deleteEpochs(before: keys.newest.epoch, db)
        try ServiceTable.remove("rotation", db)
        try KeyTable.setLeaked(false, db)
        try KeyTable.renewStamp(db)
    }
}
