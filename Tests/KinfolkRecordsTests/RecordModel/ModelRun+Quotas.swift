import Kinfolk

/// Sets quotas, and compares what is counted.
extension ModelRun {
    /// Lets a person, or all of the public database, store some bytes more than now, or fewer.
    func setQuota(_ quota: Quota, room: Int?, _ access: ModelStep.Access) throws {
        guard let (_, caller) = try caller(access) else { return }
        let home = ModelPlace.Home(
            environment: access.environment,
            owner: quota == .user ? caller.user : nil
        )
        let stored =
            switch quota {
            case .user, .publicDatabase: model.bytes(of: home)
            case .creator: caller.user.map { model.bytes(createdBy: $0, in: access.environment) } ?? 0
            case .asset, .keyValueStore: 0
            }
        let limit = room.map { max(0, stored + $0) }
        try container(access.environment, access.service).setQuota(quota, to: limit)
        model.quotas[access.environment]?[quota] = limit
    }

    func compareStorageUse(_ access: ModelStep.Access) throws {
        guard let (database, caller) = try caller(access) else { return }
        let found = call { try database.session.storageUse() }
        let expected = expect { () throws(ModelFailure) in try self.model.storageUse(of: caller) }
        try compare(found.map { _ in }, expected.map { _ in })
        guard case (.success(let use), .success(let other)) = (found, expected) else { return }
        let quotas = model.quotas[access.environment] ?? [:]
        guard use.privateBytes == other.privateBytes, use.publicBytes == other.publicBytes,
            use.privateQuota == quotas[.user], use.publicQuota == quotas[.creator]
        else { throw Different(what: "\(use), expected \(other) and the quotas \(quotas)") }
    }
}
