import KinfolkCrypto
import KinfolkStorage

extension Keychain {
    /// Begins a rotation, or goes on with one, and takes the new service key.
    ///
    /// - Returns: The path of the file that keeps the old key, if there is one.
    func begin(to target: KeySource?, in store: Store) throws -> String? {
        guard let target else {
            guard let path = try source.keyPath(forStore: storePath) else {
                throw KinfolkError(.invalidArgument, "The present key is in no file: say which is the new one.")
            }
            return try replaceKeyFile(path, in: store)
        }
        try target.validate()
        let key: SecretKey
        if let file = try target.keyPath(forStore: storePath) {
            key = try KeyFile.read(file) ?? KeyFile.make(file)
        } else {
            if case .passphrase = target.kind { _ = try store.write(KeySource.newPassphrase) }
            key = try target.key(of: store)
        }
        try begin(with: ServiceKey(key), in: store)
        return nil
    }

    /// The new key is in a file of its own before the store knows it, and takes the place of the old one after: whenever this
    /// is interrupted, the key file opens the store.
    private func replaceKeyFile(_ path: String, in store: Store) throws -> String? {
        try KeyFile.alone(inFolderOf: path) {
            let draft = path + ".new"
            if try KeyFile.read(draft) == nil, let key = try KeyFile.read(path).map(ServiceKey.init),
                try store.read({ db in try Keychain.isRotating(to: key, db) })
            {
                // Interrupted after the new key took its place. The file may be newer than the key that this service opened
                // with.
                let epoch = try begin(with: key, in: store, mayBePresent: true)
                return try keptKeyFile("\(path).\(epoch - 1)", in: store)
            }
            let epoch = try begin(with: ServiceKey(KeyFile.make(draft)), in: store, mayBePresent: true)
            return try KeyFile.replace(path, by: draft, keeping: "\(path).\(epoch - 1)")
        }
    }

    /// Whether a rotation is under way, to this very key.
    private static func isRotating(to key: ServiceKey, _ db: Connection) throws -> Bool {
        guard try ServiceTable.value("rotation", db) != nil else { return false }
        let rows = try KeyTable.rootKeys(db)
        return rows.contains { $0.epoch == rows.first?.epoch && $0.sealedUnder == key.check }
    }

    /// The file that keeps the key from before the rotation that is under way.
    private func keptKeyFile(_ old: String, in store: Store) throws -> String? {
        let openers = Set(try store.read(KeyTable.rootKeys).map(\.sealedUnder))
        return KeyFile.names(of: old).first { name in
            // A file of another store may lie there, or no key at all.
            guard let key = try? KeyFile.read(name).map(ServiceKey.init) else { return false }
            return openers.contains(key.check)
        }
    }

    /// Adds an epoch whose root key the new service key opens, unless one is under way. While it is, the root keys open one
    /// another, so that either service key opens both, and so does whoever has one in memory.
    ///
    /// - Parameter mayBePresent: Whether it is well if somebody else has ended the rotation to this key in this moment.
    /// - Returns: The newest epoch.
    @discardableResult
    private func begin(with key: ServiceKey, in store: Store, mayBePresent: Bool = false) throws -> Int64 {
        let epoch = try store.write { db in
            let present = try ring(db)
            let rows = try KeyTable.rootKeys(db)
            let opensNewest = rows.contains { $0.epoch == present.newest.epoch && $0.sealedUnder == key.check }
            if try ServiceTable.value("rotation", db) != nil {
                guard !opensNewest else { return present.newest.epoch }
                guard !rows.contains(where: { $0.epoch < present.newest.epoch && $0.sealedUnder == key.check }) else {
                    throw KinfolkError(.invalidArgument, "The new key is the one that is being replaced.")
                }
                // Another new key than the one that it began with, which may be lost.
                let roots = Set(present.epochs.map(\.check))
                for row in rows where row.epoch == present.newest.epoch && !roots.contains(row.sealedUnder) {
                    try KeyTable.deleteRootKey(row.epoch, sealedUnder: row.sealedUnder, db)
                }
                try KeyTable.insert(present.newest, sealedUnder: key.check, key.sealing, db)
                return present.newest.epoch
            }
            if opensNewest && mayBePresent { return present.newest.epoch }
            guard !opensNewest else { throw KinfolkError(.invalidArgument, "The new key is the present one.") }
            let old = present.newest
            let new = try EpochKeys(epoch: old.epoch + 1, root: .random())
            try KeyTable.insert(new, sealedUnder: key.check, key.sealing, db)
            try KeyTable.insert(new, sealedUnder: old.check, old.rootSealing, db)
            try KeyTable.insert(old, sealedUnder: new.check, new.rootSealing, db)
            // What is kept of ended epochs is opened by the newest.
            for (epoch, keys) in present.ended {
                try KeyTable.setLastingKeys(keys.sealed(of: epoch, under: new.rootSealing), of: epoch, db)
            }
            for container in try ContainerTable.all(db) { try new.makeContainerKey(for: container.number, db) }
            try ServiceTable.set("rotation", [], db)
            try KeyTable.renewStamp(db)
            return new.epoch
        }
        replace(with: key)
        return epoch
    }

    /// Ends the epochs before the newest. Inside of the transaction that found nothing left of them.
    func end(_ keys: KeyRing, _ db: Connection) throws {
        for epoch in keys.epochs.dropFirst() {
            let sealed = epoch.lasting.sealed(of: epoch.epoch, under: keys.newest.rootSealing)
            try KeyTable.setLastingKeys(sealed, of: epoch.epoch, db)
            try KeyTable.deleteRootKey(keys.newest.epoch, sealedUnder: epoch.check, db)
        }
        try KeyTable.deleteEpochs(before: keys.newest.epoch, db)
        try ServiceTable.remove("rotation", db)
        try KeyTable.renewStamp(db)
    }
}
