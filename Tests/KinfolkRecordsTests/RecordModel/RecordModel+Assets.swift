import Kinfolk
import KinfolkModel

/// The assets of records: who names and reads them, and when they are deleted.
extension RecordModel {
    /// The complete asset that a caller means.
    private func asset(_ file: Asset, in place: ModelPlace) -> ModelAsset? {
        assets[place]?.values.first { $0.file == file }
    }

    private func records(naming file: Asset, in place: ModelPlace) -> [ModelRecord] {
        (records[place] ?? [:]).values.filter { $0.assets.contains(file) }
    }

    /// The content of an asset, if the caller may read it: all of a private database, and in the public one those of records that
    /// the caller may read, and those that the caller uploaded.
    func read(_ file: Asset, _ scope: DatabaseScope, by caller: Caller) throws(ModelFailure) -> [UInt8] {
        let home = try home(scope, of: caller)
        guard let place = place(file.zone, in: home), let asset = asset(file, in: place) else {
            throw ModelFailure(.assetNotAvailable)
        }
        let user = try? requireGoodStanding(caller)
        // An asset whose uploader was erased belongs to nobody.
        let isOwn = scope == .private || user != nil && user == asset.uploader
        let isReadable =
            isOwn
            || records(naming: file, in: place).contains {
                permissions(for: $0, in: place, by: caller).contains(.read)
            }
        guard isReadable else { throw ModelFailure(.assetNotAvailable) }
        return asset.content
    }

    /// Throws unless a caller may give a record the assets that are sent: those that the caller can see in it already, all of a
    /// private database, and in the public one those that the caller uploaded.
    func requireAssets(
        of request: ModelRequest,
        _ present: ModelRecord?,
        in place: ModelPlace,
        by caller: Caller,
        _ user: UserRecordID
    ) throws(ModelFailure) {
        let sent = request.draft.fields.filter { request.names?.contains($0.key) != false }
        var known: Set<Asset> = []
        if let present, permissions(for: present, in: place, by: caller).contains(.read) { known = present.assets }
        for file in sent.values.flatMap(\.assets) where !known.contains(file) {
            guard let asset = asset(file, in: place), place.home.owner != nil || asset.uploader == user else {
                throw ModelFailure(.assetNotAvailable)
            }
        }
    }

    // MARK: How long an asset stays

    /// Notes the assets that a record begins and ceases to name.
    mutating func noteAssets(from before: Set<Asset>, to after: Set<Asset>, in place: ModelPlace) {
        call.dropped[place, default: []].formUnion(before.subtracting(after))
        guard !after.isSubset(of: before) else { return }
        for (number, asset) in assets[place] ?? [:] where asset.file.map(after.contains) == true {
            assets[place]?[number]?.expiresAt = nil
        }
    }

    /// Deletes the assets that no record names any more. A call ends with this: a later record of it may name an asset again.
    mutating func deleteDroppedAssets() {
        for (place, files) in call.dropped {
            for file in files where records(naming: file, in: place).isEmpty {
                assets[place] = assets[place]?.filter { $0.value.file != file }
            }
        }
        call.dropped = [:]
    }

    /// Deletes the uploads that no record has named in time.
    mutating func expireAssets() {
        for (place, all) in assets {
            assets[place] = all.filter { _, asset in asset.expiresAt.map { $0 > now } ?? true }
        }
    }

    /// Deletes the uploads of a person who is erased. Assets of records that stay lose their uploader.
    mutating func eraseAssets(of user: UserRecordID, in place: ModelPlace) {
        for (number, asset) in assets[place] ?? [:] where asset.uploader == user {
            if asset.expiresAt == nil {
                assets[place]?[number]?.uploader = nil
            } else {
                assets[place]?[number] = nil
            }
        }
    }
}
