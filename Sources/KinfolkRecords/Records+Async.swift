#if !KINFOLK_BLOCKING
public import KinfolkAccounts
import KinfolkCore
public import KinfolkModel
/// The blocking calls on user records, for async callers: each waits on a thread of the service. The blocking form documents
/// behaviour, parameters and errors.
extension Session {
    /// Like the blocking form, but waits on a thread of the service.
    public func fetchUserRecord(in database: DatabaseScope = .public) async throws(KinfolkError) -> Record {
        try await service.async { try self.fetchUserRecord(in: database) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func fetchUserRecord(_ id: UserRecordID, in database: DatabaseScope = .public) async throws(KinfolkError)
        -> Record
    {
        try await service.async { try self.fetchUserRecord(id, in: database) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func save(_ record: Record, policy: SavePolicy = .ifServerRecordUnchanged) async throws(KinfolkError)
        -> Record
    {
        try await service.async { try self.save(record, policy: policy) }
    }
}

/// The blocking calls of a database, for async callers: each waits on a thread of the service. The blocking form documents
/// behaviour, parameters and errors.
extension Database {
    /// Like the blocking form, but waits on a thread of the service.
    public func fetch(_ id: RecordID) async throws(KinfolkError) -> Record {
        try await service.async { try self.fetch(id) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func fetch(_ ids: [RecordID]) async throws(KinfolkError) -> [Result<Record, KinfolkError>] {
        try await service.async { try self.fetch(ids) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func save(
        _ record: Record,
        policy: SavePolicy = .ifServerRecordUnchanged
    ) async throws(KinfolkError) -> Record {
        try await service.async { try self.save(record, policy: policy) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    @discardableResult
    public func delete(_ id: RecordID, changeTag: String? = nil) async throws(KinfolkError) -> [DeletedRecord] {
        try await service.async { try self.delete(id, changeTag: changeTag) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func run(
        _ operations: [RecordOperation],
        atomically: Bool = false
    ) async throws(KinfolkError) -> BatchResults {
        try await service.async { try self.run(operations, atomically: atomically) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func backReferences(
        to id: RecordID,
        after last: BackReference? = nil,
        limit: Int = maximumBatch
    ) async throws(KinfolkError) -> [BackReference] {
        try await service.async { try self.backReferences(to: id, after: last, limit: limit) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func zones() async throws(KinfolkError) -> [RecordZone] {
        try await service.async { try self.zones() }
    }

    /// Like the blocking form, but waits on a thread of the service.
    @discardableResult
    public func save(_ zone: RecordZone) async throws(KinfolkError) -> RecordZone {
        try await service.async { try self.save(zone) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func deleteZone(_ name: String) async throws(KinfolkError) {
        try await service.async { try self.deleteZone(name) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func changes(
        inZone name: String,
        since token: ServerChangeToken? = nil,
        limit: Int = maximumBatch
    ) async throws(KinfolkError) -> RecordZoneChanges {
        try await service.async { try self.changes(inZone: name, since: token, limit: limit) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func changes(since token: ServerChangeToken? = nil) async throws(KinfolkError) -> DatabaseChanges {
        try await service.async { try self.changes(since: token) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func query(
        _ query: Query,
        inZone zone: String? = nil,
        desiredKeys: Set<String>? = nil,
        limit: Int = standardPage,
        after cursor: QueryCursor? = nil
    ) async throws(KinfolkError) -> QueryPage {
        try await service.async {
            try self.query(query, inZone: zone, desiredKeys: desiredKeys, limit: limit, after: cursor)
        }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func count(_ query: Query, inZone zone: String? = nil) async throws(KinfolkError) -> Int {
        try await service.async { try self.count(query, inZone: zone) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func explain(
        _ query: Query,
        inZone zone: String? = nil,
        limit: Int = standardPage
    ) async throws(KinfolkError) -> QueryExplanation {
        try await service.async { try self.explain(query, inZone: zone, limit: limit) }
    }
}

/// The blocking calls on the schema, for async callers: each waits on a thread of the service. The blocking form documents
/// behaviour, parameters and errors.
extension Container {
    /// Like the blocking form, but waits on a thread of the service.
    public func grantRole(_ role: String, to account: Account) async throws(KinfolkError) {
        try await service.async { try self.grantRole(role, to: account) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func revokeRole(_ role: String, from account: Account) async throws(KinfolkError) {
        try await service.async { try self.revokeRole(role, from: account) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func roles(of account: Account) async throws(KinfolkError) -> [String] {
        try await service.async { try self.roles(of: account) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func addField(
        _ name: String,
        type: FieldType,
        indexes: FieldIndexes? = nil,
        to recordType: String = "Users"
    ) async throws(KinfolkError) {
        try await service.async { try self.addField(name, type: type, indexes: indexes, to: recordType) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func removeField(_ name: String, from recordType: String = "Users") async throws(KinfolkError) {
        try await service.async { try self.removeField(name, from: recordType) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func indexBuilds() async throws(KinfolkError) -> [IndexBuild] {
        try await service.async { try self.indexBuilds() }
    }

    /// Like the blocking form, but waits on a thread of the service. If the task is cancelled, the work continues later.
    public func buildIndexes(
        progress: @escaping @Sendable (IndexBuild) throws(KinfolkError) -> Void = { (_) throws(KinfolkError) in }
    ) async throws(KinfolkError) {
        try await service.async { cancellation in
            try self.buildIndexes { (build) throws(KinfolkError) in
                try cancellation.check()
                try progress(build)
            }
        }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func exportSchema() async throws(KinfolkError) -> String {
        try await service.async { try self.exportSchema() }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func schemaDifference(
        _ text: String,
        removesMissing: Bool = false
    ) async throws(KinfolkError) -> SchemaDifference {
        try await service.async { try self.schemaDifference(text, removesMissing: removesMissing) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    @discardableResult
    public func applySchema(
        _ text: String,
        removesMissing: Bool = false
    ) async throws(KinfolkError) -> SchemaDifference {
        try await service.async { try self.applySchema(text, removesMissing: removesMissing) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func deploymentDifference() async throws(KinfolkError) -> SchemaDifference {
        try await service.async { try self.deploymentDifference() }
    }

    /// Like the blocking form, but waits on a thread of the service.
    @discardableResult
    public func deploySchema() async throws(KinfolkError) -> SchemaDifference {
        try await service.async { try self.deploySchema() }
    }
}
#endif
