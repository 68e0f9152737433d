import Kinfolk

/// What the store must hold, and how each call must answer: the rules of records in their simplest form.
///
/// Later parts of the product (queries) add their state here, and their steps to ``ModelStep``.
struct RecordModel {
    typealias Origin = ModelDraft.Origin
    typealias Outcome = Result<ModelRecord?, ModelFailure>

    /// Who calls: nobody has no user.
    struct Caller {
        let environment: ContainerEnvironment
        let user: UserRecordID?
    }

    struct User {
        let person: Int
        let since: Timestamp
    }

    var records: [ModelPlace: [String: ModelRecord]] = [:]
    /// The assets of each zone, by numbers that no other asset has or had.
    var assets: [ModelPlace: [Int: ModelAsset]] = [:]
    /// The quotas that limit something.
    var quotas: [ContainerEnvironment: [Quota: Int]] = [:]
    /// The private databases that have or had custom zones.
    var databases: [ModelPlace.Home: ModelDatabase] = [:]
    /// Whether a zone was ever made in the store.
    var hasHistory = false
    /// How often a key leaked.
    var leaks = 0
    /// The fields of each record type.
    var schemas: [ContainerEnvironment: [String: [String: ModelField]]] = [:]
    /// Whether the schema of production was deployed.
    var isFixed = false
    /// The roles of the schema.
    var roles: [ContainerEnvironment: Set<String>] = [:]
    /// What each role may do with the records of a type. Standard grants are left out.
    var grants: [ContainerEnvironment: [String: [String: Set<ModelPermission>]]] = [:]
    /// The roles that users have.
    var members: [ContainerEnvironment: [UserRecordID: Set<String>]] = [:]
    var users: [ContainerEnvironment: [UserRecordID: User]] = [:]
    var suspended: Set<Int> = []
    var now: Timestamp
    var lastTag = 0
    var lastNumber = 0
    /// The present call.
    var call = ModelCall()

    init(now: Timestamp) {
        self.now = now
        for environment in ContainerEnvironment.allCases {
            schemas[environment] = ["Users": [:]]
            users[environment] = [:]
            quotas[environment] = [.asset: 250_000_000]
        }
    }

    // MARK: Callers

    /// Whether the caller may write, and read the private database.
    func requireGoodStanding(_ caller: Caller) throws(ModelFailure) -> UserRecordID {
        guard let user = caller.user, let known = users[caller.environment]?[user], !suspended.contains(known.person)
        else { throw ModelFailure(.notAuthenticated) }
        return user
    }

    func home(_ scope: DatabaseScope, of caller: Caller) throws(ModelFailure) -> ModelPlace.Home {
        let owner = scope == .private ? try requireGoodStanding(caller) : nil
        return ModelPlace.Home(environment: caller.environment, owner: owner)
    }

    /// The zone with this name in a database. Nil if the database has no such zone.
    func place(_ zone: String, in home: ModelPlace.Home) -> ModelPlace? {
        guard zone == RecordZone.defaultName || databases[home]?.zones[zone] != nil else { return nil }
        return ModelPlace(home: home, zone: zone)
    }

    // MARK: Fetching

    /// A record, with the user records that were never saved.
    func record(_ name: String, in place: ModelPlace) -> ModelRecord? {
        if let record = records[place]?[name] { return record }
        guard let user = try? UserRecordID(name), place.home.owner == nil || place.home.owner == user,
            let since = users[place.home.environment]?[user]?.since
        else { return nil }
        return ModelRecord(
            type: "Users",
            name: name,
            zone: place.zone,
            tag: 0,
            creator: user,
            modifier: user,
            createdAt: since,
            modifiedAt: since,
            fields: [:]
        )
    }

    func fetch(_ ids: [RecordID], _ scope: DatabaseScope, by caller: Caller) throws(ModelFailure) -> [Outcome] {
        let home = try home(scope, of: caller)
        var size = 0
        return ids.map { id in
            guard size < Database.maximumBatchSize else { return .failure(ModelFailure(.limitExceeded)) }
            guard let place = place(id.zone, in: home) else { return .failure(ModelFailure(.zoneNotFound)) }
            guard let record = record(id.name, in: place),
                permissions(for: record, in: place, by: caller).contains(.read)
            else { return .failure(ModelFailure(.unknownItem)) }
            size += record.size
            return .success(record)
        }
    }
}
