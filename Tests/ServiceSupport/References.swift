package import Kinfolk
package import KinfolkModel

/// Makes and saves records that refer to each other.
package struct References {
    package let database: Database
    package var zone: String

    package init(database: Database, zone: String = RecordID.defaultZone) {
        (self.database, self.zone) = (database, zone)
    }

    package func id(_ name: String) throws -> RecordID { try RecordID(name, zone: zone) }

    /// A record, not saved, that refers to others by their names.
    package func record(
        _ name: String,
        _ action: ReferenceAction = .none,
        _ targets: String...,
        parent: String? = nil
    ) throws -> Record {
        var record = try Record(type: "Item", id: id(name))
        let references = try targets.map { try Reference(id($0), action: action) }
        if !references.isEmpty { try record.set("targets", to: .referenceList(references)) }
        if let parent { try record.setParent(id(parent)) }
        return record
    }

    @discardableResult
    package func save(
        _ name: String,
        _ action: ReferenceAction = .none,
        _ target: String? = nil,
        parent: String? = nil
    ) throws -> Record {
        let record = try target.map { try self.record(name, action, $0, parent: parent) }
        return try database.save(record ?? self.record(name, parent: parent))
    }

    /// Which of these records there are.
    package func present(_ names: String...) throws -> [String] {
        try zip(names, database.fetch(names.map(id))).compactMap { name, result in
            if case .success = result { name } else { nil }
        }
    }

    /// Saves records that refer to each other through `deleteSelf` in a chain: each to the one before.
    package func chain(_ count: Int) throws {
        for start in stride(from: 0, to: count, by: Database.maximumBatch) {
            let batch = try (start..<min(start + Database.maximumBatch, count)).map { number in
                number == 0 ? try record("0") : try record("\(number)", .deleteSelf, "\(number - 1)")
            }
            for result in try database.run(batch.map(RecordOperation.create)) { _ = try result.get() }
        }
    }
}
