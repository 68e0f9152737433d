import KinfolkAccounts
import KinfolkCore
import KinfolkCrypto
import KinfolkModel
import KinfolkStorage

/// One database of a session, in one transaction: the only code that fetches, saves and deletes records.
struct RecordTransaction {
    let session: Session
    let database: DatabaseScope
    /// The default zone.
    let place: RecordPlace
    private let lookUps = LookUps()
    /// The signed-in user; nil if a session reads the public database.
    let user: UserRecordID?
    /// What the caller may do with the records.
    let access: RecordAccess
    let db: Connection

    /// What was looked up in this transaction.
    private final class LookUps {
        /// The custom zones, by their names; nil for those that do not exist.
        var places: [String: RecordPlace?] = [:]
        /// The names of record types, by their numbers.
        var types: [Int64: String] = [:]
    }

    private var container: Container { session.container }
    private var service: Service { session.service }

    /// Prefetches what a transaction on these records needs, so that a server answers all of it in one round trip. This uses the keys
    /// of the last transaction; if they were rotated meanwhile, the records are looked up again. Records of custom zones are
    /// prefetched afterwards, by ``askAhead(inZonesOf:_:isWriting:)``.
    ///
    /// - Parameter references: What must be known of the records that refer to these.
    static func askAhead(
        _ ids: [RecordID],
        zones names: [String] = [],
        _ session: Session,
        _ database: DatabaseScope,
        _ references: ReferenceQuestions = ReferenceQuestions(),
        isWriting: Bool,
        _ db: Connection
    ) throws {
        try db.askAhead {
            let container = session.container.number
            guard let keys = session.service.keychain.latest?.knownContainer(container) else { return }
            let place = RecordPlace(ofPrivate: database == .private ? session.recordID : nil, in: container, keys)
            let needsAccount =
                isWriting || database == .private
                || session.service.schemas.latest(of: container)?.isReadableByAll == false
            if needsAccount, let account = session.account { try AccountRows.askAhead(account, db) }
            _ = try KeyTable.stamp(db)
            if isWriting || database == .public { _ = try SchemaTable.storedStamp(of: container, db) }
            let zones = customZones(of: ids, database).union(names)
            for zone in zones.sorted() { _ = try ZoneTable.place(named: zone, in: place, db) }
            for name in names { _ = try ZoneTable.zone(named: name, in: place, db) }
            if database == .private && (ids.isEmpty || isWriting && !zones.isEmpty) {
                _ = try ChangeCountTable.count(of: place, db)
            }
            // Transactions without records are about zones.
            if database == .private && ids.isEmpty {
                _ = try StoreHistory.value(db)
                if isWriting { _ = try ZoneTable.count(in: place, db) }
                if names.isEmpty { _ = try ZoneTable.all(of: place, db) }
            }
            for id in ids where id.zone == RecordID.defaultZone {
                try ask(for: id, references, in: place, session.service, db)
            }
        }
    }

    private static func ask(
        for id: RecordID,
        _ references: ReferenceQuestions,
        in place: RecordPlace,
        _ service: Service,
        _ db: Connection
    ) throws {
        _ = try RecordTable.row(id, in: place, db)
        if let user = id.user { _ = try UserRecordRule.unsaved(user, in: place.container, service, db) }
        try references.ask(id, in: place, db)
    }

    /// The names of the custom zones of records. A public database has none.
    private static func customZones(of ids: [RecordID], _ database: DatabaseScope) -> Set<String> {
        database == .public ? [] : Set(ids.lazy.map(\.zone).filter { $0 != RecordID.defaultZone })
    }

    /// Prefetches records of custom zones, whose numbers must be known for that.
    ///
    /// - Parameters:
    ///   - references: What must be known of the records that refer to these.
    ///   - isWriting: Whether the records are going to be written, and so their changes numbered.
    func askAhead(
        inZonesOf ids: [RecordID],
        _ references: ReferenceQuestions = ReferenceQuestions(),
        isWriting: Bool = false
    ) throws {
        let zones = RecordTransaction.customZones(of: ids, database)
        guard !zones.isEmpty else { return }
        let places = try zones.sorted().compactMap(place(ofZone:))
        try db.askAhead {
            for place in places where isWriting { try ChangeNumbers.query(place, db) }
            for id in ids {
                guard let place = places.first(where: { $0.zoneName == id.zone }) else { continue }
                try RecordTransaction.ask(for: id, references, in: place, service, db)
            }
        }
    }

    /// Prefetches records of zones that were looked up.
    func askAhead(_ ids: some Sequence<RecordID>, _ references: ReferenceQuestions) throws {
        try db.askAhead {
            for id in ids {
                guard let place = try place(ofZone: id.zone) else { continue }
                try RecordTransaction.ask(for: id, references, in: place, service, db)
            }
        }
    }

    /// Throws if the session may not read the database.
    init(reading session: Session, _ database: DatabaseScope, _ db: Connection) throws {
        try session.container.requireInUse(db)
        if database == .private {
            try self.init(session, database, session.userInGoodStanding(db), .ofOwner, db)
            return
        }
        let schema = try session.service.schemas.schema(of: session.container.number, session.service, db)
        // Before the records are looked up, so that the work does not depend on whether they exist.
        let user = schema.isReadableByAll ? nil : try session.activeUser(db)
        try self.init(session, database, user, RecordAccess(user, schema), db)
    }

    /// - Parameter user: The session's user, in good standing. Call this in a write transaction.
    init(
        writing session: Session,
        by user: Session.User,
        _ database: DatabaseScope,
        _ schema: ContainerSchema,
        _ db: Connection
    ) throws {
        let access: RecordAccess = database == .private ? .ofOwner : RecordAccess(user, schema)
        try self.init(session, database, user, access, db)
    }

    private init(
        _ session: Session,
        _ database: DatabaseScope,
        _ user: Session.User?,
        _ access: RecordAccess,
        _ db: Connection
    ) throws {
        self.session = session
        self.database = database
        self.user = user?.record
        self.access = access
        self.db = db
        let keys = try session.service.keys(ofContainer: session.container.number, in: db)
        let owner = database == .private ? user?.record : nil
        place = RecordPlace(ofPrivate: owner, in: session.container.number, keys)
    }

    // MARK: Fetching

    /// The zone with this name; nil if there is none.
    func place(ofZone name: String) throws -> RecordPlace? {
        guard name != RecordID.defaultZone else { return place }
        guard database == .private else { return nil }
        if let known = lookUps.places[name] { return known }
        let found = try ZoneTable.place(named: name, in: place, db)
        lookUps.places[name] = .some(found)
        return found
    }

    /// - Throws: ``KinfolkError/Code/unknownItem`` if there is no record with this ID that the session may read,
    ///   ``KinfolkError/Code/zoneNotFound`` if there is no such zone.
    func record(_ id: RecordID) throws -> Record {
        guard let row = try readable(id) else { throw RecordTransaction.noRecord }
        return try record(row, id)
    }

    func record(_ row: RecordRow, _ id: RecordID) throws -> Record {
        row.content.record(type: try name(ofType: row.type), id: id, changeTag: row.changeTag, in: place)
    }

    /// The record of a row.
    ///
    /// - Parameters:
    ///   - place: Its zone.
    ///   - keys: The fields that it gets; nil for all.
    func record(_ row: RecordRow, in place: RecordPlace, _ keys: Set<String>?) throws -> Record {
        let id = RecordID(valid: row.content.name, zone: place.zoneName)
        guard let keys else { return try record(row, id) }
        var row = row
        row.keepFields(keys)
        return try record(row, id)
    }

    /// The custom zones of the database, apart from reserved ones.
    func customZones() throws -> [RecordPlace] {
        guard database == .private else { return [] }
        return try ZoneTable.all(of: place, db).filter { !ReservedZone.isReserved($0.name) }
            .compactMap { try place(ofZone: $0.name) }
    }

    private func name(ofType type: Int64) throws -> String {
        if let known = lookUps.types[type] { return known }
        let name = try service.schemas.name(ofType: type, in: container.number, service, db)
        lookUps.types[type] = name
        return name
    }

    /// The record with this ID; nil if there is none that the caller may read.
    ///
    /// - Throws: ``KinfolkError/Code/zoneNotFound`` if there is no such zone.
    func readable(_ id: RecordID) throws -> RecordRow? {
        guard let row = try row(id), try access.mayRead(row) else { return nil }
        return row
    }

    /// The record with this ID, whether the caller may read it or not; nil if there is none.
    ///
    /// - Throws: ``KinfolkError/Code/zoneNotFound`` if there is no such zone.
    func row(_ id: RecordID) throws -> RecordRow? {
        guard let place = try place(ofZone: id.zone) else { throw RecordTransaction.noZone }
        // A private database holds no user record but its user's own.
        if let named = id.user, database == .private, named != user { return nil }
        if let row = try RecordTable.row(id, in: place, db) { return row }
        return try id.user.flatMap { try UserRecordRule.unsaved($0, in: container.number, service, db) }
    }

    static var noZone: KinfolkError { KinfolkError(.zoneNotFound, "There is no such zone in this database.") }

    static var noRecord: KinfolkError { KinfolkError(.unknownItem, "There is no such record in this database.") }
}
