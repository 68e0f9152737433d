import KinfolkAccounts
package import KinfolkCore

extension Component {
    /// Records and their schema.
    package static let records = Component(
        parts: { [SchemaCache(), RecordNumbers(), Sweeper(store: $0.store), IndexBuilder(), Outbox(), KnownDebts()] },
        often: [
            { service in try AssetExpiry.run(service) },
            { service in try service.sweeper.startIfNeeded(service) },
            { service in try service.indexBuilder.startIfNeeded(service) },
        ],
        indexes: [
            DerivedIndex(of: ContainerCreation.self) { creation, service, db in
                try SchemaTable.insert(for: creation.container, service.keys(db), db)
            },
            DerivedIndex(of: [AccountChange].self) { changes, service, db in
                try CreatorDebts(service, db).note(changes)
            },
            DerivedIndex(of: RecordChange.self) { change, service, db in
                guard !change.place.isReserved else { return }
                try service.outbox.note(OutboxTable.add(change, lane: service.lane, db))
            },
            DerivedIndex(of: ZoneChange.self) { change, service, db in
                guard !ReservedZone.isReserved(change.name) else { return }
                try service.outbox.note(OutboxTable.add(change, lane: service.lane, db))
            },
        ]
    )
}
