import Kinfolk

/// Makes and deletes zones, and follows their changes.
extension ModelRun {
    func saveZone(_ zone: Int?, _ access: ModelStep.Access) throws {
        guard let (database, caller) = try caller(access) else { return }
        let name = ModelPlace.zoneName(zone)
        try compare(
            call { try database.save(zone == nil ? .default : RecordZone(name)) }.map { _ in },
            expect { () throws(ModelFailure) in try self.model.saveZone(name, access.scope, of: caller) }
        )
    }

    func deleteZone(_ zone: Int?, _ access: ModelStep.Access) throws {
        guard let (database, caller) = try caller(access) else { return }
        let name = ModelPlace.zoneName(zone)
        try compare(
            call { try database.deleteZone(name) },
            expect { () throws(ModelFailure) in try self.model.deleteZone(name, access.scope, of: caller) }
        )
    }

    func listZones(_ access: ModelStep.Access) throws {
        guard let (database, caller) = try caller(access) else { return }
        let found = call { try database.zones().map(\.name) }
        let expected = expect { () throws(ModelFailure) in try self.model.zones(access.scope, of: caller) }
        try compare(found.map { _ in }, expected.map { _ in })
        if case (.success(let zones), .success(let others)) = (found, expected), zones != others {
            throw Different(what: "the zones \(zones), expected \(others)")
        }
    }

    // MARK: Changes of a zone

    /// A reader gets the next page. After the last one, its copy must equal the zone.
    func pull(_ zone: Int?, _ number: Int, limit: Int, _ access: ModelStep.Access) throws {
        guard let (database, caller) = try caller(access) else { return }
        let name = ModelPlace.zoneName(zone)
        var reader = readers[number] ?? ModelReader()
        let found = call { try database.changes(inZone: name, since: reader.token, limit: limit) }
        let expected = expect { () throws(ModelFailure) in
            try self.model.changes(inZone: name, since: reader.position, limit: limit, access.scope, of: caller)
        }
        try compare(found.map { _ in }, expected.map { _ in })
        guard case (.success(let page), .success(let changes)) = (found, expected) else {
            // The reader begins again, if it can.
            readers[number] = nil
            return
        }
        let origin = Origin(environment: access.environment, scope: access.scope, user: caller.user)
        reader.position = try compare(page, changes, limit: limit, from: origin)
        reader.token = page.token
        for record in page.records { reader.records[record.id.name] = record }
        for deleted in page.deleted { reader.records[deleted.id.name] = nil }
        readers[number] = reader
        guard !page.moreComing else { return }
        let others = model.records[ModelPlace(home: changes.start.home, zone: name)] ?? [:]
        guard Set(reader.records.keys) == Set(others.keys) else {
            throw Different(what: "the reader has \(reader.records.keys.sorted()), not \(others.keys.sorted())")
        }
        for (name, record) in reader.records { try others[name].map { try compare(record, $0, from: origin) } }
    }

    /// Compares a page with the changes that are left. Returns the position after it.
    private func compare(
        _ page: RecordZoneChanges,
        _ changes: ModelChanges,
        limit: Int,
        from origin: Origin
    ) throws -> ModelPosition {
        let found = page.records.count + page.deleted.count
        var rest = changes.groups[...]
        var taken: [ModelChanges.Group] = []
        while taken.reduce(0, { $0 + $1.count }) < found, let group = rest.popFirst() { taken.append(group) }
        let count = taken.reduce(0) { $0 + $1.count }
        let size = taken.reduce(0) { $0 + $1.size }
        // Whole groups, and at least one.
        guard count == found, !taken.isEmpty || rest.isEmpty else {
            throw Different(what: "a page of \(found) changes, but the groups are \(changes.groups.map(\.count))")
        }
        let fits = taken.count < 2 || count <= limit && size <= Database.maximumBatchSize
        // A record takes more bytes in the store than those of its fields.
        let isFull =
            rest.first.map { count + $0.count > limit || 2 * (size + $0.size) > Database.maximumBatchSize } ?? true
        // A page with a group that is larger than the limit does not know whether it is the last.
        guard fits, isFull, page.moreComing == !rest.isEmpty || page.moreComing && count > limit else {
            let more = page.moreComing ? "with more coming" : "as the last"
            throw Different(what: "a page of \(found) changes, \(more); the limit is \(limit), \(rest.count) are left")
        }
        var (records, deleted) = (page.records[...], page.deleted[...])
        for group in taken {
            let saved = records.prefix(group.records.count)
            for record in saved {
                guard let other = group.records[record.id.name] else { throw Different(what: "a record out of order") }
                try compare(record, other, from: origin)
            }
            let gone = deleted.prefix(group.deletions.count)
            guard Dictionary(gone.map { ($0.id.name, $0.type) }, uniquingKeysWith: { $1 }) == group.deletions else {
                throw Different(what: "\(gone.map(\.id.name)) were deleted, expected \(group.deletions)")
            }
            (records, deleted) = (records.dropFirst(saved.count), deleted.dropFirst(gone.count))
        }
        var position = changes.start
        position.change = page.moreComing ? taken.last?.change ?? position.change : changes.last
        return position
    }

    // MARK: Changes of a database

    /// A reader gets the changes of the zones. Then it knows which zones there are.
    func pullZones(_ number: Int, _ access: ModelStep.Access) throws {
        guard let (database, caller) = try caller(access) else { return }
        var reader = readers[number] ?? ModelReader()
        let found = call { try database.changes(since: reader.token) }
        let expected = expect { () throws(ModelFailure) in
            try self.model.changes(since: reader.position, access.scope, of: caller)
        }
        try compare(found.map { _ in }, expected.map { _ in })
        guard case (.success(let page), .success(let changes)) = (found, expected) else {
            readers[number] = nil
            return
        }
        let order = page.changed.map { changes.changed[$0.name] ?? 0 }
        guard Set(page.changed.map(\.name)) == Set(changes.changed.keys), order == order.sorted(),
            order.count == changes.changed.count, page.deleted.map(\.name) == changes.deleted, !page.moreComing
        else {
            let names = "\(page.changed.map(\.name)) changed, \(page.deleted.map(\.name)) deleted"
            throw Different(what: "\(names), expected \(changes.changed) and \(changes.deleted)")
        }
        reader.zones.formUnion(page.changed.map(\.name))
        reader.zones.subtract(page.deleted.map(\.name))
        (reader.token, reader.position) = (page.token, changes.end)
        readers[number] = reader
        let zones = Set((model.databases[changes.end.home]?.zones ?? [:]).keys)
        guard reader.zones == zones else { throw Different(what: "the reader has \(reader.zones), not \(zones)") }
    }
}
