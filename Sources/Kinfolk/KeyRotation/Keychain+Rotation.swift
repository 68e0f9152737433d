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
        let draft = path + ".new"
        if let key = try KeyFile.read(draft) { return try replaceKeyFile(path, by: draft, key, in: store) }
        if try store.read({ db in try ServiceTable.value("rotation", db) }) != nil {
            // Interrupted after the new key took its place. The file may be newer than the key that this service opened with.
            guard let key = try KeyFile.read(path) else { throw Keychain.mismatch }
            try begin(with: ServiceKey(key), in: store)
            return nil
        }
        return try replaceKeyFile(path, by: draft, KeyFile.make(draft), in: store)
    }

    private func replaceKeyFile(_ path: String, by draft: String, _ key: SecretKey, in store: Store) throws -> String? {
        let epoch = try begin(with: ServiceKey(key), in: store)
        let old = "\(path).\(epoch - 1)"
        try KeyFile.replace(path, by: draft, keeping: old)
        return old
    }

    /// Adds an epoch whose root key the new service key opens, unless one is under way. While it is, the root keys open one
    /// another, so that either service key opens both, and so does whoever has one in memory.
    ///
    /// - Returns: The newest epoch.
    @discardableResult
    private func begin(with key: ServiceKey, in store: Store) throws -> Int64 {
        let epoch = try store.write { db in
            let present = try ring(db)
            let rows = try KeyTable.rootKeys(db)
            let opensNewest = rows.contains { $0.epoch == present.newest.epoch && $0.sealedUnder == key.check }
            if try ServiceTable.value("rotation", db) != nil {
                guard !opensNewest else { return present.newest.epoch }
                // Another new key than the one that it began with, which may be lost.
                let roots = Set(present.epochs.map(\.check))
                for row in rows where row.epoch == present.newest.epoch && !roots.contains(row.sealedUnder) {
                    try KeyTable.deleteRootKey(row.epoch, sealedUnder: row.sealedUnder, db)
                }
                try KeyTable.insert(present.newest, sealedUnder: key.check, key.sealing, db)
                return present.newest.epoch
            }
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
