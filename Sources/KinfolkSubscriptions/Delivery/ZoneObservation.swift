package import KinfolkAccounts
package import KinfolkModel
package import KinfolkRecords
import KinfolkStorage
import KinfolkThreads

extension Session {
    /// Calls `changed` on a thread of the service, now and whenever something may have changed in a reserved zone: also when the account is
    /// suspended, erased or in good standing again.
    ///
    /// One thread looks for all sessions of the process, when the store was changed and once a second. If nothing was changed in the zone, it
    /// reads one row.
    ///
    /// - Parameters:
    ///   - isDue: Whether `changed` is to be called although nothing has changed.
    ///   - changed: Returns whether it has read the changes. Otherwise it is called again.
    package func observe(
        _ zone: ReservedZone,
        isDue: @escaping @Sendable () -> Bool = { false },
        _ changed: @escaping @Sendable () -> Bool
    ) throws(KinfolkError) -> StoreObservation {
        let seen = Lock<ZoneSight?>(nil)
        let observation = StoreObservation(hub: service.hub)
        let key = try service.hub.lookOut(for: self) { [self] in
            guard let sight = ZoneSight(zone, self), seen.withLock({ $0 != sight }) || isDue() else { return }
            if changed() { seen.withLock { $0 = sight } }
        }
        observation.begin(key)
        return observation
    }
}

/// What a look at a reserved zone has seen.
private enum ZoneSight: Equatable {
    case change(Int64)
    /// The session has no account in good standing.
    case nobody

    /// Nil if the store cannot be read now.
    init?(_ zone: ReservedZone, _ session: Session) {
        do {
            self = .change(try session.read(zone) { try $0.lastChange() })
        } catch {
            guard error.code == .notAuthenticated else { return nil }
            self = .nobody
        }
    }
}
