import Kinfolk
import KinfolkModel

/// Uploads of assets.
extension RecordModel {
    /// Throws unless an upload can begin. What else is wrong is found when the first part is stored.
    func beginUpload(
        to zone: String,
        _ scope: DatabaseScope,
        by caller: Caller
    ) throws(ModelFailure) -> ModelUpload {
        guard scope == .private || zone == RecordZone.defaultName else { throw ModelFailure(.invalidArgument) }
        return ModelUpload(caller: caller, scope: scope, zone: zone)
    }

    /// Adds bytes to a file. Each four chunks are stored when a byte follows them.
    mutating func write(_ bytes: [UInt8], to upload: inout ModelUpload) throws(ModelFailure) {
        guard !upload.hasEnded else { throw ModelFailure(.assetNotAvailable) }
        var stored = upload.content.count.storedByUpload
        upload.content += bytes
        while upload.content.count.storedByUpload > stored {
            stored += ModelAsset.partLength
            try storeOrEnd(&upload, upTo: stored, isLast: false, as: nil)
        }
    }

    /// Completes a file.
    ///
    /// - Parameter file: The asset of the product; nil if it has none.
    mutating func finish(_ upload: inout ModelUpload, as file: Asset?) throws(ModelFailure) {
        guard upload.file == nil else { return }
        guard !upload.hasEnded else { throw ModelFailure(.assetNotAvailable) }
        try storeOrEnd(&upload, upTo: upload.content.count, isLast: true, as: file)
        upload.hasEnded = true
        upload.file = file
    }

    /// Ends an upload that is not complete, and deletes what is stored of it.
    mutating func cancel(_ upload: inout ModelUpload) {
        guard !upload.hasEnded else { return }
        upload.hasEnded = true
        guard let number = upload.number else { return }
        for place in assets.keys { assets[place]?[number] = nil }
    }

    private mutating func storeOrEnd(
        _ upload: inout ModelUpload,
        upTo size: Int,
        isLast: Bool,
        as file: Asset?
    ) throws(ModelFailure) {
        do { try store(&upload, upTo: size, isLast: isLast, as: file) } catch {
            cancel(&upload)
            throw error
        }
    }

    /// Stores what an upload has, up to a size.
    private mutating func store(
        _ upload: inout ModelUpload,
        upTo size: Int,
        isLast: Bool,
        as file: Asset?
    ) throws(ModelFailure) {
        let user = try requireGoodStanding(upload.caller)
        let home = try home(upload.scope, of: upload.caller)
        guard let place = place(upload.zone, in: home) else { throw ModelFailure(.zoneNotFound) }
        guard mayUpload(to: place, upload.caller, user) else { throw ModelFailure(.permissionFailure) }
        guard size <= quotas[home.environment]?[.asset] ?? .max else { throw ModelFailure(.limitExceeded) }
        let present = upload.number.flatMap { assets[place]?[$0] }
        guard upload.number == nil || present != nil else {
            // The upload is too old; or its zone was deleted, which looks like a server that has lost it.
            let isOver = upload.expiresAt.map { now >= $0 } ?? true
            throw ModelFailure(isOver ? .assetNotAvailable : .serviceUnavailable)
        }
        let asset = ModelAsset(
            uploader: upload.scope == .public ? user : nil,
            content: Array(upload.content.prefix(size)),
            isComplete: isLast,
            file: file,
            expiresAt: now.adding(seconds: ModelAsset.patience)
        )
        try requireRoom(for: asset.bytes - (present?.bytes ?? 0), createdBy: asset.uploader, in: place)
        lastNumber += 1
        let number = upload.number ?? lastNumber
        upload.number = number
        upload.expiresAt = asset.expiresAt
        assets[place, default: [:]][number] = asset
    }

    /// Whether a user may upload to a zone. Once the schema of the public database is deployed, those may who may create or write
    /// records of a type with a file.
    private func mayUpload(to place: ModelPlace, _ caller: Caller, _ user: UserRecordID) -> Bool {
        guard place.home.owner == nil, place.home.environment == .production, isFixed else { return true }
        return (schemas[.production] ?? [:]).contains { type, fields in
            guard fields.values.contains(where: { $0.type == .asset || $0.type == .assetList }) else { return false }
            var ofType = permissions(ofType: type, in: place, by: caller)
            // Nobody creates user records.
            if type == "Users" { ofType.remove(.create) }
            let own = record(user.description, in: place)
            let records = (records[place] ?? [:]).values.filter { $0.creator == user } + [own].compactMap(\.self)
            return !ofType.isDisjoint(with: [.create, .write])
                || records.contains {
                    $0.type == type && permissions(for: $0, in: place, by: caller).contains(.write)
                }
        }
    }
}

extension Int {
    /// How many of so many bytes an upload has stored that is not finished.
    fileprivate var storedByUpload: Int {
        self == 0 ? 0 : (self - 1) / ModelAsset.partLength * ModelAsset.partLength
    }
}
