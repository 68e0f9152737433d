import KinfolkAccounts
package import KinfolkCore

extension Component {
    /// Records and their schema.
    package static let records = Component(
        parts: { _ in [SchemaCache(), RecordNumbers()] },
        indexes: [
            DerivedIndex(of: ContainerCreation.self) { creation, _, db in
                try SchemaTable.insert(for: creation.container, db)
            },
            DerivedIndex(of: RecordChange.self) { change, service, db in
                try OutboxTable.add(change, lane: service.lane, db)
            },
        ]
    )
}
