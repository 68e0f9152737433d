import Kinfolk

/// What the store must hold, and how each call must answer: the rules of records in their simplest form.
///
/// Later parts of the product (zones, references, changes, queries) add their state here, and their steps to ``ModelStep``.
struct RecordModel {
    typealias Origin = ModelDraft.Origin
    typealias Outcome = Result<ModelRecord?, ModelFailure>

    /// A database: the public one of an environment, or the private one of an owner.
    struct Place: Hashable {
        let environment: ContainerEnvironment
        let owner: UserRecordID?
    }

    /// Who calls: nobody has no user.
    struct Caller {
        let environment: ContainerEnvironment
        let user: UserRecordID?
    }

    struct User {
        let person: Int
        let since: Timestamp
    }

    private(set) var records: [Place: [String: ModelRecord]] = [:]
    /// The fields of each record type.
    private(set) var schemas: [ContainerEnvironment: [String: [String: ModelField]]] = [:]
    /// Whether the schema of production was deployed.
    private var isFixed = false
    private(set) var users: [ContainerEnvironment: [UserRecordID: User]] = [:]
    private(set) var suspended: Set<Int> = []
    var now: Timestamp
    private var lastTag = 0

    init(now: Timestamp) {
        self.now = now
        for environment in ContainerEnvironment.allCases {
            schemas[environment] = ["Users": [:]]
            users[environment] = [:]
        }
    }

    // MARK: People

    mutating func join(_ person: Int, as user: UserRecordID, in environment: ContainerEnvironment) {
        // Only the day is kept, which links the person's containers less.
        let day: Int64 = 86_400_000_000
        let since = Timestamp(microseconds: now.microseconds / day * day)
        users[environment]?[user] = User(person: person, since: since)
    }

    mutating func setSuspended(_ person: Int, _ isSuspended: Bool) {
        if isSuspended { suspended.insert(person) } else { suspended.remove(person) }
    }

    /// Erases a person. Returns how many records went.
    mutating func erase(_ person: Int, keepsPublicRecords: Bool) -> Int {
        var count = 0
        for environment in ContainerEnvironment.allCases {
            guard let user = users[environment]?.first(where: { $0.value.person == person })?.key else { continue }
            let shared = Place(environment: environment, owner: nil)
            let own = records.removeValue(forKey: Place(environment: environment, owner: user)) ?? [:]
            count += 2 + own.values.count { $0.type != "Users" }
            for (name, record) in records[shared] ?? [:] where record.creator == user {
                if keepsPublicRecords && record.type != "Users" {
                    records[shared]?[name]?.creator = nil
                    if record.modifier == user { records[shared]?[name]?.modifier = nil }
                } else {
                    records[shared]?[name] = nil
                    if record.type != "Users" { count += 1 }
                }
            }
            users[environment]?[user] = nil
        }
        suspended.remove(person)
        return count
    }

    /// The records that the export of a person holds.
    func export(of person: Int) -> [(Origin, ModelRecord)] {
        ContainerEnvironment.allCases.flatMap { environment -> [(Origin, ModelRecord)] in
            guard let user = users[environment]?.first(where: { $0.value.person == person })?.key else { return [] }
            return DatabaseScope.allCases.flatMap { scope -> [(Origin, ModelRecord)] in
                let place = Place(environment: environment, owner: scope == .private ? user : nil)
                let name = user.description
                let others = (records[place] ?? [:]).values.filter { $0.creator == user && $0.name != name }
                return (others + [record(name, in: place)].compactMap(\.self)).map {
                    (Origin(environment: environment, scope: scope, user: user), $0)
                }
            }
        }
    }

    /// Whether the caller may write, and read the private database.
    private func requireGoodStanding(_ caller: Caller) throws(ModelFailure) -> UserRecordID {
        guard let user = caller.user, let known = users[caller.environment]?[user], !suspended.contains(known.person)
        else { throw ModelFailure(.notAuthenticated) }
        return user
    }

    private func place(_ scope: DatabaseScope, of caller: Caller) throws(ModelFailure) -> Place {
        let owner = scope == .private ? try requireGoodStanding(caller) : nil
        return Place(environment: caller.environment, owner: owner)
    }

    // MARK: Fetching

    /// A record, with the user records that were never saved.
    private func record(_ name: String, in place: Place) -> ModelRecord? {
        if let record = records[place]?[name] { return record }
        guard let user = try? UserRecordID(name), place.owner == nil || place.owner == user,
            let since = users[place.environment]?[user]?.since
        else { return nil }
        return ModelRecord(
            type: "Users",
            name: name,
            tag: 0,
            creator: user,
            modifier: user,
            createdAt: since,
            modifiedAt: since,
            fields: [:]
        )
    }

    func fetch(_ names: [String], _ scope: DatabaseScope, by caller: Caller) throws(ModelFailure) -> [Outcome] {
        let place = try place(scope, of: caller)
        var size = 0
        return names.map { name in
            guard size < Database.maximumBatchSize else { return .failure(ModelFailure(.limitExceeded)) }
            guard let record = record(name, in: place) else { return .failure(ModelFailure(.unknownItem)) }
            size += ModelRecord.size(record.fields)
            return .success(record)
        }
    }

    // MARK: Saving and deleting

    /// Runs one call that changes one record.
    mutating func run(_ request: ModelRequest, _ scope: DatabaseScope, by caller: Caller) throws(ModelFailure)
        -> ModelRecord?
    {
        try request.check(Origin(environment: caller.environment, scope: scope, user: caller.user))
        return try attempt(request, scope, by: caller)
    }

    /// Runs a batch.
    mutating func run(
        _ requests: [ModelRequest],
        atomically: Bool,
        _ scope: DatabaseScope,
        by caller: Caller
    ) throws(ModelFailure) -> [Outcome] {
        guard requests.count <= Database.maximumBatch, requests.reduce(0, { $0 + $1.size }) <= Database.maximumBatchSize
        else {
            throw ModelFailure(.limitExceeded)
        }
        guard Set(requests.map(\.draft.name)).count == requests.count else { throw ModelFailure(.invalidArgument) }
        let before = self
        var outcomes = requests.map { request in
            Result { () throws(ModelFailure) -> ModelRecord? in
                try request.check(Origin(environment: caller.environment, scope: scope, user: caller.user))
                return nil
            }
        }
        if !atomically || !outcomes.contains(where: RecordModel.isFailure) {
            _ = try requireGoodStanding(caller)
            for (index, request) in requests.enumerated() {
                guard case .success = outcomes[index] else { continue }
                outcomes[index] = Result { () throws(ModelFailure) in try attempt(request, scope, by: caller) }
                if atomically, case .failure = outcomes[index] {
                    // The items after it were not tried.
                    outcomes = outcomes.prefix(index + 1) + outcomes.dropFirst(index + 1).map { _ in .success(nil) }
                    break
                }
            }
        }
        guard atomically, outcomes.contains(where: RecordModel.isFailure) else { return outcomes }
        self = before
        return outcomes.map { RecordModel.isFailure($0) ? $0 : .failure(ModelFailure(.batchRequestFailed)) }
    }

    private static func isFailure(_ outcome: Outcome) -> Bool { if case .failure = outcome { true } else { false } }

    private mutating func attempt(
        _ request: ModelRequest,
        _ scope: DatabaseScope,
        by caller: Caller
    ) throws(ModelFailure) -> ModelRecord? {
        let user = try requireGoodStanding(caller)
        let place = try place(scope, of: caller)
        let draft = request.draft
        let present = record(draft.name, in: place)
        let named = try? UserRecordID(draft.name)
        if request.isDeletion, named != nil { throw ModelFailure(.permissionFailure) }
        if request.isDeletion, present == nil, request.expects == .anything { return nil }
        if let named {
            guard present != nil else { throw ModelFailure(.unknownItem) }
            guard named == user else { throw ModelFailure(.permissionFailure) }
        }
        if let present {
            let isStale =
                request.expects == .missing || request.expects == .unchanged && request.tag != present.tag
            if place.owner == nil, present.creator != user, request.expects != .missing {
                throw ModelFailure(.permissionFailure)
            }
            if isStale { throw ModelFailure(.serverRecordChanged, server: present) }
        } else if request.expects == .unchanged || request.expects == .present {
            throw ModelFailure(.unknownItem)
        }
        guard !request.isDeletion else {
            records[place]?[draft.name] = nil
            return nil
        }
        var fields = present?.fields ?? [:]
        if let names = request.names {
            for name in names { fields[name] = draft.fields[name] }
        } else {
            fields = draft.fields
        }
        guard ModelRecord.size(fields) <= Record.maximumSize else { throw ModelFailure(.limitExceeded) }
        guard present == nil || present?.type == draft.type else { throw ModelFailure(.invalidArgument) }
        let written = draft.fields.filter { request.names?.contains($0.key) != false }.mapValues(\.type)
        let mayGrow = place.environment == .development || place.owner == nil && !isFixed
        try grow(draft.type, by: written, mayGrow, in: place.environment)
        lastTag += 1
        let saved = ModelRecord(
            type: draft.type,
            name: draft.name,
            tag: lastTag,
            creator: present == nil ? user : present?.creator,
            modifier: user,
            createdAt: present?.createdAt ?? now,
            modifiedAt: now,
            fields: fields
        )
        records[place, default: [:]][draft.name] = saved
        return saved
    }

    // MARK: The schema

    private mutating func grow(
        _ type: String,
        by fields: [String: FieldType],
        _ mayGrow: Bool,
        in environment: ContainerEnvironment
    ) throws(ModelFailure) {
        let known = schemas[environment]?[type]
        guard fields.allSatisfy({ known?[$0.key] == nil || known?[$0.key]?.type == $0.value }) else {
            throw ModelFailure(.invalidArgument)
        }
        let isNew = known == nil || fields.contains { known?[$0.key] == nil }
        guard !isNew || mayGrow else { throw ModelFailure(.invalidArgument) }
        let added = fields.mapValues { ModelField($0, of: type) }
        schemas[environment]?[type] = (known ?? [:]).merging(added) { old, _ in old }
    }

    mutating func addField(
        _ name: String,
        _ field: ModelField,
        to recordType: String,
        in environment: ContainerEnvironment
    ) throws(ModelFailure) {
        guard schemas[environment]?[recordType]?[name] == nil else { throw ModelFailure(.conflict) }
        schemas[environment]?[recordType, default: [:]][name] = field
    }

    /// Applies a text that declares one field.
    mutating func declare(
        _ name: String,
        _ field: ModelField,
        of recordType: String,
        in environment: ContainerEnvironment
    ) throws(ModelFailure) {
        if let known = schemas[environment]?[recordType]?[name] {
            // A text of CloudKit names a boolean INT64.
            let isSame =
                switch (field.type, known.type) {
                case (.int64, .boolean), (.int64List, .booleanList): true
                case (let type, let other): type == other
                }
            guard isSame else { throw ModelFailure(.invalidArgument) }
            schemas[environment]?[recordType]?[name]?.isQueryable = field.isQueryable
        } else {
            schemas[environment]?[recordType, default: [:]][name] = field
        }
    }

    /// Adds the schema of development to that of production.
    mutating func deploy() throws(ModelFailure) {
        var production = schemas[.production] ?? [:]
        for (type, fields) in schemas[.development] ?? [:] {
            production[type] = production[type] ?? [:]
            for (name, field) in fields {
                var known = production[type]?[name] ?? field
                guard known.type == field.type else { throw ModelFailure(.invalidArgument) }
                known.isQueryable = known.isQueryable || field.isQueryable
                production[type]?[name] = known
            }
        }
        schemas[.production] = production
        isFixed = true
    }

    mutating func removeField(
        _ name: String,
        from recordType: String,
        in environment: ContainerEnvironment
    ) throws(ModelFailure) {
        guard schemas[environment]?[recordType]?[name] != nil else { throw ModelFailure(.unknownItem) }
        schemas[environment]?[recordType]?[name] = nil
        for place in records.keys where place.environment == environment {
            for (key, record) in records[place] ?? [:] where record.type == recordType && record.fields[name] != nil {
                lastTag += 1
                records[place]?[key]?.fields[name] = nil
                records[place]?[key]?.tag = lastTag
            }
        }
    }
}
