package import KinfolkAccounts
import KinfolkCore
import KinfolkCrypto
package import KinfolkModel
package import KinfolkRecords
import KinfolkStorage
import KinfolkThreads

/// A session's look out for changes of a reserved zone. One thread looks for all sessions of the process.
final class ZoneLookout: Sendable {
    /// What a look at the zone has seen.
    enum Sight: Equatable {
        /// The number of the last change, in the history of the store.
        case change(Int64, RandomID?)
        /// The session has no account in good standing.
        case nobody
    }

    let session: Session
    private let zone: ReservedZone
    private let isAsked: @Sendable () -> Bool
    private let changed: @Sendable (_ isLive: () -> Bool) -> ZoneReading
    /// Called when the service closes.
    let ended: @Sendable () -> Void
    private let seen = Lock<Sight?>(nil)

    init(
        _ zone: ReservedZone,
        for session: Session,
        isAsked: @escaping @Sendable () -> Bool,
        ended: @escaping @Sendable () -> Void,
        _ changed: @escaping @Sendable (_ isLive: () -> Bool) -> ZoneReading
    ) {
        (self.zone, self.session, self.isAsked, self.changed) = (zone, session, isAsked, changed)
        self.ended = ended
    }

    /// What all of them see, in one transaction. Those that cannot see anything now are left out.
    static func sights(of lookouts: [Int: ZoneLookout], _ service: Service) -> [Int: Sight] {
        let sights = try? service.store.read { db in
            try db.askAhead { for lookout in lookouts.values { _ = try? lookout.sight(db) } }
            return lookouts.compactMapValues { try? $0.sight(db) }
        }
        return sights ?? [:]
    }

    private func sight(_ db: Connection) throws -> Sight {
        do {
            let user = try session.userInGoodStanding(db).record
            let keys = try session.service.keys(ofContainer: session.container.number, in: db)
            let database = RecordPlace(ofPrivate: user, in: session.container.number, keys)
            return .change(try zone.lastChange(in: database, db), try StoreHistory.value(db))
        } catch let error as KinfolkError where error.code == .notAuthenticated {
            return .nobody
        }
    }

    /// Whether the changes are to be read.
    func isDue(after sight: Sight) -> Bool { seen.withLock { $0 != sight } || isAsked() }

    /// Reads the changes.
    ///
    /// - Parameters:
    ///   - sight: What was seen before.
    ///   - isLive: Whether this was not ended in the meantime.
    /// - Returns: Whether there may be more.
    func look(_ sight: Sight, _ isLive: () -> Bool) -> Bool {
        let outcome = changed(isLive)
        if outcome == .read { seen.withLock { $0 = sight } }
        return outcome == .more
    }
}

extension Session {
    /// Calls `changed` on a thread of the service, now and whenever something may have changed in a reserved zone: also when the account is
    /// suspended, erased or in good standing again.
    ///
    /// - Parameters:
    ///   - isAsked: Whether `changed` is to be called although nothing has changed.
    ///   - ended: Called when the service closes.
    ///   - changed: Reads changes. It calls no handler once `isLive` returns false.
    package func observe(
        _ zone: ReservedZone,
        isAsked: @escaping @Sendable () -> Bool = { false },
        ended: @escaping @Sendable () -> Void = {},
        _ changed: @escaping @Sendable (_ isLive: () -> Bool) -> ZoneReading
    ) throws(KinfolkError) -> StoreObservation {
        let observation = StoreObservation(hub: service.hub)
        observation.begin(try service.hub.begin(ZoneLookout(zone, for: self, isAsked: isAsked, ended: ended, changed)))
        return observation
    }
}
