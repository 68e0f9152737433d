import Kinfolk

/// Lists what refers to a record.
extension ModelRun {
    func listBackReferences(_ key: ModelStep.Key, limit: Int, _ access: ModelStep.Access) throws {
        guard let (database, caller) = try caller(access) else { return }
        let id = try id(key, access.environment)
        let found = call { try self.backReferences(to: id, limit: limit, in: database) }
        let expected = expect { () throws(ModelFailure) in
            let key = ModelKey(zone: id.zone, name: id.name)
            return try self.model.backReferences(to: key, limit: limit, access.scope, by: caller)
        }
        try compare(found.map { _ in }, expected.map { _ in })
        guard case (.success(let references), .success(let others)) = (found, expected) else { return }
        let names = references.map { "\($0.kind) \($0.source.zone)/\($0.source.name) \($0.type)" }
        let otherNames = others.map { "\($0.kind) \($0.source.zone)/\($0.source.name) \($0.source.type)" }
        let kinds = references.map(\.kind.rawValue)
        if names.sorted() != otherNames.sorted() || kinds != kinds.sorted() {
            throw Different(what: "the back references \(names), expected \(otherNames)")
        }
    }

    /// All pages.
    private func backReferences(to id: RecordID, limit: Int, in database: Database) throws -> [BackReference] {
        var references: [BackReference] = []
        while true {
            let page = try database.backReferences(to: id, after: references.last, limit: limit)
            guard page.count <= limit else { throw Different(what: "a page of \(page.count), the limit is \(limit)") }
            guard !page.isEmpty else { return references }
            references += page
        }
    }
}
