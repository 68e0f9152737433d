import Kinfolk

/// How many bytes are stored, and may be.
extension RecordModel {
    /// The bytes of a database: of its sealed records and assets.
    func bytes(of home: ModelPlace.Home) -> Int {
        records.reduce(0) { $0 + ($1.key.home == home ? $1.value.values.reduce(0) { $0 + $1.bytes } : 0) }
            + assets.reduce(0) { $0 + ($1.key.home == home ? $1.value.values.reduce(0) { $0 + $1.bytes } : 0) }
    }

    /// The bytes of what a user created in the public database.
    func bytes(createdBy user: UserRecordID, in environment: ContainerEnvironment) -> Int {
        let place = ModelPlace(home: .init(environment: environment, owner: nil), zone: RecordZone.defaultName)
        let ofRecords = (records[place] ?? [:]).values.reduce(0) { $0 + ($1.creator == user ? $1.bytes : 0) }
        return (assets[place] ?? [:]).values.reduce(ofRecords) { $0 + ($1.uploader == user ? $1.bytes : 0) }
    }

    /// Throws if there is no room for more bytes. There is always room for fewer, and for as many as before.
    func requireRoom(
        for more: Int,
        createdBy creator: UserRecordID?,
        in place: ModelPlace
    ) throws(ModelFailure) {
        let environment = place.home.environment
        guard more > 0 else { return }
        let database = quotas[environment]?[place.home.owner == nil ? .publicDatabase : .user]
        if let database, bytes(of: place.home) + more > database { throw ModelFailure(.quotaExceeded) }
        guard place.home.owner == nil, let creator, let limit = quotas[environment]?[.creator] else { return }
        guard bytes(createdBy: creator, in: environment) + more <= limit else { throw ModelFailure(.quotaExceeded) }
    }

    /// What a caller is told of the bytes of the private database and of the public one.
    func storageUse(of caller: Caller) throws(ModelFailure) -> (privateBytes: Int, publicBytes: Int) {
        let user = try requireGoodStanding(caller)
        let home = ModelPlace.Home(environment: caller.environment, owner: user)
        return (bytes(of: home), bytes(createdBy: user, in: caller.environment))
    }
}
