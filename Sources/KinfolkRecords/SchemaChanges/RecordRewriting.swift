import KinfolkAccounts
import KinfolkCore
import KinfolkCrypto
import KinfolkModel
import KinfolkStorage

/// Changes the records of a container after their types changed: it deletes the records of removed types and the values of removed
/// fields, and makes and deletes index entries. It reads each record of the container once.
struct RecordRewriting {
    private static let pageSize = 100

    private let container: Container
    private let db: Connection
    /// The types that changed, under their numbers, before and after; nil for a removed one.
    var types: [Int64: (before: TypeDefinition, after: TypeDefinition?)] = [:]

    init(_ container: Container, _ db: Connection) {
        self.container = container
        self.db = db
    }

    func run() throws {
        guard !types.isEmpty else { return }
        let keys = try container.service.keys(ofContainer: container.number, in: db)
        let storage = RecordStorage(container.service, db)
        var position: RecordTable.Position? = .start
        while let start = position {
            position = try RecordTable.forEach(
                in: container.number,
                after: start,
                limit: RecordRewriting.pageSize,
                keys,
                db
            ) { place, row in try rewrite(row, in: place, storage) }
        }
        try storage.finish()
    }

    private func rewrite(_ row: RecordRow, in place: RecordPlace, _ storage: RecordStorage) throws {
        guard let type = types[row.type], let number = row.number else { return }
        guard let after = type.after else { return try storage.delete(row, type.before, in: place) }
        var content = row.content
        for name in content.fields.names where type.before.fields[name] != nil && after.fields[name] == nil {
            content.fields[name] = nil
        }
        guard content.fields.names.count < row.content.fields.names.count else {
            return try storage.reindex(row, from: type.before, to: after, in: place)
        }
        let tag = SecureRandom.bytes(8)
        try storage.replace(row, by: content, number: number, after, as: type.before, changeTag: tag, in: place)
    }
}
