import KinfolkAccounts
import KinfolkCore
import KinfolkCrypto
import KinfolkModel
import KinfolkStorage

/// Removes a field of a record type, with its values and index entries, in one transaction.
struct FieldRemoval {
    private static let pageSize = 100

    private let name: String
    private let type: TypeDefinition
    private let container: Container
    private let db: Connection

    init(_ name: String, of type: TypeDefinition, in container: Container, _ db: Connection) {
        self.name = name
        self.type = type
        self.container = container
        self.db = db
    }

    func run() throws {
        try SchemaTable.delete(field: name, of: type.number, in: container.number, db)
        let keys = try container.service.keys(ofContainer: container.number, in: db)
        let storage = RecordStorage(container.service, db)
        var position: RecordTable.Position? = .start
        while let start = position {
            position = try RecordTable.forEach(
                in: container.number,
                after: start,
                limit: FieldRemoval.pageSize,
                keys,
                db
            ) { place, row in try remove(from: row, in: place, storage) }
        }
        try storage.finish()
    }

    private func remove(from row: RecordRow, in place: RecordPlace, _ storage: RecordStorage) throws {
        guard row.type == type.number, row.content.fields[name] != nil, let number = row.number else { return }
        var content = row.content
        content.fields[name] = nil
        let tag = SecureRandom.bytes(8)
        try storage.replace(row, by: content, number: number, type, changeTag: tag, in: place)
    }
}
