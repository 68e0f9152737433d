import KinfolkAccounts
import KinfolkCore
public import KinfolkModel
import KinfolkStorage

extension Database {
    /// The maximum number of custom zones in a private database.
    public static let maximumZones = 1_000

    /// The zones of the database: `_defaultZone`, and the custom zones in the order in which they were made.
    ///
    /// - Throws: ``KinfolkError/Code/notAuthenticated`` for a private database without an account in good standing.
    public func zones() throws(KinfolkError) -> [RecordZone] {
        try service.read { db in
            try RecordTransaction.askAhead([], session, scope, isWriting: false, db)
            let access = try RecordTransaction(reading: session, scope, db)
            let custom = scope == .private ? try ZoneTable.all(of: access.place, db) : []
            return [.default]
                + custom.filter { !ReservedZone.isReserved($0.name) }.map { RecordZone(valid: $0.name) }
        }
    }

    /// Makes a custom zone. Does nothing if there is one with this name.
    ///
    /// - Returns: The zone.
    /// - Throws: ``KinfolkError/Code/invalidArgument`` for the default zone, and for the public database, which has no other zones,
    ///   ``KinfolkError/Code/limitExceeded`` if the database has ``maximumZones`` custom zones,
    ///   ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing.
    @discardableResult
    public func save(_ zone: RecordZone) throws(KinfolkError) -> RecordZone {
        try requireCustom(zone.name)
        return try service.write { db in
            try RecordTransaction.askAhead([], zones: [zone.name], session, scope, isWriting: true, db)
            try ZoneWriting(session, db).save(zone)
            return zone
        }
    }

    /// Deletes a custom zone with all its records, however many they are.
    ///
    /// The records are unreadable at once, because the key of the zone is deleted. Their rows are removed afterwards, in batches, by
    /// a thread of this service or of another one that uses the store.
    ///
    /// - Parameter name: The name of the zone.
    /// - Throws: ``KinfolkError/Code/zoneNotFound`` if there is no such zone, ``KinfolkError/Code/invalidArgument`` for the default
    ///   zone and for the public database, ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing.
    public func deleteZone(_ name: String) throws(KinfolkError) {
        try requireCustom(name)
        try service.write { db in
            try RecordTransaction.askAhead([], zones: [name], session, scope, isWriting: true, db)
            try ZoneWriting(session, db).delete(name)
        }
        service.sweeper.start(service)
        // The log may still contain the key of the zone. If it is in use, one of the next writes empties it.
        _ = try? service.store.truncateLog()
    }

    private func requireCustom(_ name: String) throws(KinfolkError) {
        guard name != RecordZone.defaultName else {
            throw KinfolkError(.invalidArgument, "The default zone exists in every database, and cannot be deleted.")
        }
        try ZoneName.validate(custom: name)
        guard scope == .private else {
            throw KinfolkError(.invalidArgument, "Custom zones exist in private databases only.")
        }
    }
}
