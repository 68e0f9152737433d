import KinfolkAccounts
import KinfolkCore
import KinfolkCrypto
import KinfolkModel
import KinfolkStorage

/// Changes the records of a container after their types changed: it deletes the records of removed types and the values of removed
/// fields. It reads each record of the container once.
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
        let schema = try container.service.schemas.schema(of: container.number, container.service, db)
        var position: RecordTable.Position? = .start
        while let start = position {
            var removed: [(place: RecordPlace, record: RecordCascade.Member)] = []
            position = try RecordTable.forEach(
                in: container.number,
                after: start,
                limit: RecordRewriting.pageSize,
                keys,
                db
            ) { place, row in
                if types[row.type].map({ $0.after == nil }) == true, let member = RecordCascade.member(row, in: place) {
                    removed.append((place, member))
                } else {
                    try rewrite(row, in: place, storage)
                }
            }
            try delete(removed, schema, storage)
        }
        try storage.finish()
    }

    /// Deletes records of removed types, with those of other types that refer to them through `deleteSelf`. Records that need one of
    /// them through `validate` stay, and their references dangle.
    private func delete(
        _ removed: [(place: RecordPlace, record: RecordCascade.Member)],
        _ schema: ContainerSchema,
        _ storage: RecordStorage
    ) throws {
        var rest = removed[...]
        while let first = rest.first {
            let members = rest.prefix { $0.place.owner == first.place.owner && $0.place.zone == first.place.zone }
            let cascade = try RecordCascade(of: members.map(\.record), limit: nil, in: first.place, db)
            try cascade.delete(from: storage) { deletedType($0) ?? schema.type($0) }
            rest = rest.dropFirst(members.count)
        }
    }

    /// The type of a record that is deleted with another one, with the removed fields: it may have been rewritten already.
    private func deletedType(_ number: Int64) -> TypeDefinition? {
        guard let (before, after) = types[number] else { return nil }
        guard var type = after else { return before }
        for (name, field) in before.fields where type.fields[name] == nil { type.fields[name] = field }
        return type
    }

    private func rewrite(_ row: RecordRow, in place: RecordPlace, _ storage: RecordStorage) throws {
        guard let type = types[row.type], let number = row.number, let after = type.after else { return }
        var content = row.content
        for name in content.fields.names where type.before.fields[name] != nil && after.fields[name] == nil {
            content.fields[name] = nil
        }
        guard content.fields.count < row.content.fields.count else { return }
        let tag = ChangeTag.random()
        try storage.replace(row, by: content, number: number, after, as: type.before, changeTag: tag, in: place)
    }
}
