public import KinfolkAccounts
import KinfolkCore
public import KinfolkModel
import KinfolkStorage

extension Container {
    /// The record types whose indexes are not complete, in the order of their names. Empty if all are.
    ///
    /// An index that is added to a field of existing records is built after the schema has changed, a number of records at a time,
    /// while other work continues. A thread of each open service does it; after an interruption, the next service continues. Until it is
    /// complete, queries do not use it. The entries of an index that is removed are deleted in the same way.
    public func indexBuilds() throws(KinfolkError) -> [IndexBuild] {
        try service.read { db in
            try requireInUse(db)
            return try IndexBuild.all(in: self, db)
        }
    }

    /// Builds and removes indexes on the calling thread, beside those of open services, until all are complete.
    ///
    /// ```swift
    /// try container.applySchema(text)
    /// try container.buildIndexes()
    /// ```
    ///
    /// - Parameter progress: Called after each part of the work with the record type that it was about. If it throws, the call ends, and
    ///   the work continues later, in the background.
    public func buildIndexes(
        progress: (IndexBuild) throws(KinfolkError) -> Void = { (_) throws(KinfolkError) in }
    ) throws(KinfolkError) {
        do {
            try BatchThread.runAll { deadline in
                let build: IndexBuild?? = try service.store.write(until: deadline) { db in
                    try requireInUse(db)
                    guard let row = try IndexBuildTable.all(in: number, db).first else { return nil }
                    try IndexBuilding(row, service.keys(db), db).run()
                    let schema = try service.schemas.schema(of: number, service, db)
                    let rest = try IndexBuildTable.all(in: number, db).first { $0.type == row.type }
                    return .some(schema.name(ofType: row.type).map { IndexBuild(of: $0, rest, before: row) })
                }
                guard let build else { return false }
                if let build { try progress(build) }
                return true
            }
        } catch { throw KinfolkError(error) }
    }
}

extension IndexBuild {
    fileprivate static func all(in container: Container, _ db: Connection) throws -> [IndexBuild] {
        let rows = try IndexBuildTable.all(in: container.number, db)
        guard !rows.isEmpty else { return [] }
        let schema = try container.service.schemas.schema(of: container.number, container.service, db)
        return rows.compactMap { row in
            schema.name(ofType: row.type).map { IndexBuild(of: $0, row, before: row) }
        }.sorted { $0.recordType < $1.recordType }
    }

    /// - Parameters:
    ///   - row: How far the build is; nil if it is over.
    ///   - before: How far it was.
    fileprivate init(of recordType: String, _ row: IndexBuildTable.Row?, before: IndexBuildTable.Row) {
        let total = max(before.total, before.done)
        self.init(recordType: recordType, done: Int(min(row?.done ?? total, total)), total: Int(total))
    }
}
