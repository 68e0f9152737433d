import KinfolkAccounts
import KinfolkCore
import KinfolkCrypto
import KinfolkModel
import KinfolkRecords
import KinfolkStorage

/// Finds the subscriptions that changes of a container concern, in one transaction that reads.
///
/// A subscriber who may not read the record is left out before the predicate is tested, and so neither notifications nor their number
/// depend on records that the subscriber may not read.
struct SubscriptionMatching {
    /// The most subscriptions that are looked at in one transaction.
    static let candidateLimit = 20_000

    /// What follows from one change.
    struct Result {
        var matches: [SubscriptionMatch] = []
        /// How many subscriptions were looked at, and how many keys were looked up first.
        var count = 0
        var keyCount = 0
        /// The last subscription that was looked at; nil if that were all of them.
        var reached: Int64?
    }

    private let service: Service
    private let container: Container
    private let keys: ContainerKeys
    private let schema: ContainerSchema
    private let indexes: SubscriptionIndexes
    private let known: KnownSubscriptions
    private let db: Connection
    private let cache = Cache()

    private final class Cache {
        var access: [UserRecordID: RecordAccess?] = [:]
        var stamps: [[UInt8]: Int64?] = [:]
    }

    /// - Throws: ``KinfolkError/Code/unknownItem`` if the container was deleted.
    init(
        _ service: Service,
        container number: Int64,
        _ indexes: SubscriptionIndexes,
        _ known: KnownSubscriptions,
        _ db: Connection
    ) throws {
        self.service = service
        self.indexes = indexes
        self.known = known
        self.db = db
        // Sessions of subscribers are made to ask what they may read. They need no name of the container.
        container = Container(service: service, name: "", environment: .production, number: number)
        keys = try service.keys(ofContainer: number, in: db)
        schema = try service.schemas.schema(of: number, service, db)
    }

    /// The next subscriptions that a change concerns, after those that were notified of it already.
    ///
    /// - Parameter limit: With so many matches, the search ends after the page in which the last one was found.
    func matches(of row: OutboxRow, limit: Int) throws -> Result {
        let database = RecordPlace(ofPrivate: row.place.home.owner, in: container.number, keys)
        guard let stamp = try stamp(of: database) else { return Result() }
        var result = Result()
        var subjects: [Subject] = []
        if row.kind == .zone {
            subjects = row.zoneName.map { [Subject(zone: $0)] } ?? []
        } else if let subject = try subject(of: row) {
            subjects = [subject]
            // A deletion is told after the creation of another record with the same name, if a second service has made that. So the
            // creation is told again.
            if row.kind == .deleted, let again = try successor(of: row) { subjects.append(again) }
        } else if row.kind != .deleted || row.before != nil, row.place.tracksChanges {
            subjects = [Subject(zone: row.place.zoneName)]
        }
        guard !subjects.isEmpty else { return result }
        let tags = database.tags
        var candidateKeys: [Tag] = []
        for epoch in tags.indices {
            for subject in subjects { candidateKeys += subject.keys(tags[epoch], isPrivate: !database.owner.isEmpty) }
        }
        result.keyCount = candidateKeys.count
        let index = try indexes.index(of: database, stamp: stamp, forKeys: candidateKeys.count, db)
        let lookUp = SubscriptionLookUp(index: index, database, db)
        var last = row.reached
        while true {
            let (numbers, isLast) = try lookUp.numbers(under: &candidateKeys, after: last)
            try db.askAhead {
                for number in numbers where !known.hasSeen(number, in: database, stamp: stamp) {
                    _ = try SubscriptionTable.sealed(number, in: container.number, db)
                }
            }
            for number in numbers {
                guard let found = try known.subscription(number, in: database, stamp: stamp, schema, db) else {
                    continue
                }
                for subject in subjects {
                    if let match = try match(found, subject, row, in: database) { result.matches.append(match) }
                }
            }
            result.count += numbers.count
            guard !isLast, let end = numbers.last else { break }
            // In a damaged index, the pages could form an endless cycle.
            guard end > last else { throw StorageError(.corrupt) }
            last = end
            if result.matches.count >= limit || result.count >= SubscriptionMatching.candidateLimit {
                result.reached = last
                break
            }
        }
        try keepReceivable(&result.matches, row.origin)
        return result
    }

    // MARK: Subjects

    private func stamp(of database: RecordPlace) throws -> Int64? {
        if let known = cache.stamps[database.owner] { return known }
        let stamp = try OutboxTable.stamp(of: database, db)
        cache.stamps[database.owner] = .some(stamp)
        return stamp
    }

    /// What subscriptions are compared with.
    private struct Subject {
        var record: (content: RecordContent, type: TypeDefinition, number: Int64, place: RecordPlace)?
        /// The record, with what several predicates compute of it.
        var values: QuerySubject?
        var reason: SubscriptionNotification.Reason = .recordUpdated
        var event: SubscriptionOptions = []
        /// The name of the zone.
        var zone: String

        init(zone: String) { self.zone = zone }

        init(
            _ content: RecordContent,
            _ type: TypeDefinition,
            number: Int64,
            in place: RecordPlace,
            _ reason: SubscriptionNotification.Reason
        ) {
            record = (content, type, number, place)
            values = QuerySubject(content, in: place, remembers: true)
            self.reason = reason
            zone = place.zoneName
            event =
                switch reason {
                case .recordCreated: .firesOnRecordCreation
                case .recordUpdated: .firesOnRecordUpdate
                case .recordDeleted: .firesOnRecordDeletion
                }
        }

        func keys(_ tags: RecordTags, isPrivate: Bool) -> [Tag] {
            var keys = record.map { SubscriptionKeys.keys(of: $0.content.fields, $0.type, tags) } ?? []
            guard isPrivate else { return keys }
            keys.append(tags.subscribedDatabase)
            if zone != RecordZone.defaultName { keys.append(tags.subscribed(zone: zone)) }
            return keys
        }
    }

    private func subject(of row: OutboxRow) throws -> Subject? {
        guard let type = schema.type(row.type) else { return nil }
        switch row.kind {
        case .zone: return nil
        case .deleted:
            return row.before.map { Subject($0, type, number: row.number, in: row.place, .recordDeleted) }
        case .created, .changed:
            let reason: SubscriptionNotification.Reason = row.kind == .created ? .recordCreated : .recordUpdated
            return try present(row.number, in: row.place).flatMap { record in
                record.type == row.type ? Subject(record.content, type, number: row.number, in: row.place, reason) : nil
            }
        }
    }

    /// The record that has the name of a deleted one now.
    private func successor(of row: OutboxRow) throws -> Subject? {
        guard let name = row.before?.name else { return nil }
        let id = RecordID(valid: name, zone: row.place.zoneName)
        do {
            guard let record = try RecordTable.row(id, in: row.place, db), let number = record.number,
                let type = schema.type(record.type)
            else { return nil }
            return Subject(record.content, type, number: number, in: row.place, .recordCreated)
        } catch let error where KinfolkError(error).code == .storeCorrupt {
            return nil
        }
    }

    /// The record with a number; nil if it is gone, or was edited without the key.
    private func present(_ number: Int64, in place: RecordPlace) throws -> RecordRow? {
        do { return try RecordTable.row(number: number, in: place, db) } catch let error
            where KinfolkError(error).code == .storeCorrupt
        {
            return nil
        }
    }

    // MARK: Comparing

    private func match(
        _ found: KnownSubscriptions.Known,
        _ subject: Subject,
        _ row: OutboxRow,
        in database: RecordPlace
    ) throws -> SubscriptionMatch? {
        let subscription = found.row.subscription
        switch subscription.subject {
        case .database: break
        case .zone(let zone): guard zone == subject.zone else { return nil }
        case .query(let query, let zone, let options):
            guard let condition = found.condition, let record = subject.record, let values = subject.values,
                options.contains(subject.event), query.recordType == record.type.name,
                zone.map({ $0 == subject.zone }) ?? true,
                try mayRead(record.content, record.type, found.row, in: database), condition.holds(for: values)
            else { return nil }
        }
        return SubscriptionMatch(
            row: found.row,
            database: database,
            content: content(subscription, subject, row, in: database),
            isOnce: subscription.options.contains(.firesOnce)
        )
    }

    private func content(
        _ subscription: Subscription,
        _ subject: Subject,
        _ row: OutboxRow,
        in database: RecordPlace
    ) -> NotificationContent {
        var content = NotificationContent(
            kind: SubscriptionNotification.Kind(rawValue: subscription.type.rawValue) ?? .query,
            subscriptionID: subscription.id,
            scope: database.database,
            origin: row.origin,
            info: subscription.info
        )
        if subscription.type == .recordZone { content.zoneName = subject.zone }
        guard subscription.type == .query, let record = subject.record else { return content }
        content.reason = subject.reason
        content.type = record.type.number
        content.number = record.number
        content.zone = record.place.zone
        if subject.reason == .recordDeleted {
            content.name = record.content.name
            content.creator = record.content.creator
            content.modifier = record.content.modifier
            content.zoneName = subject.zone
        }
        return content
    }

    private func mayRead(
        _ content: RecordContent,
        _ type: TypeDefinition,
        _ row: SubscriptionRow,
        in database: RecordPlace
    ) throws -> Bool {
        guard database.database == .public else { return row.subscriber.value.bytes == database.owner }
        guard let access = try access(of: row) else { return false }
        return access.mayRead(recordOf: type, createdBy: content.creator)
    }

    /// What a subscriber may do; nil if the account was erased, or was edited without the key.
    private func access(of row: SubscriptionRow) throws -> RecordAccess? {
        if let known = cache.access[row.subscriber] { return known }
        let session = Session(container: container, account: row.account, recordID: row.subscriber)
        let access: RecordAccess?
        do { access = try RecordAccess(session.activeUser(db), schema) } catch let error
            where KinfolkError(error).code == .storeCorrupt
        {
            access = nil
        }
        cache.access[row.subscriber] = .some(access)
        return access
    }

    /// Keeps what a device of the subscriber may receive: one that did not make the change.
    private func keepReceivable(_ matches: inout [SubscriptionMatch], _ origin: RandomID?) throws {
        guard !matches.isEmpty else { return }
        let users = Array(Set(matches.map(\.row.subscriber)))
        let receiving = try DeviceTable.users(users, withDeviceOtherThan: origin, in: container.number, db)
        matches.removeAll { !receiving.contains($0.row.subscriber) }
    }
}
