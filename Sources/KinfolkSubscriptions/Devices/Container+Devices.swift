public import KinfolkAccounts
import KinfolkCore
public import KinfolkModel
import KinfolkStorage

extension Container {
    /// Signs an account in on a device: notifications wait for it while the application does not run.
    ///
    /// The first session with a device's name makes the device. All sessions with the name are one device: none of them is notified of the
    /// changes that one of them makes, and what one of them acknowledges is not delivered to the others any more. If several wait at the
    /// same time, each may receive a notification before one of them has acknowledged it.
    ///
    /// - Parameter device: A name that the application chooses, for example a random one that it keeps: 1 to 255 bytes, without a NUL. Only the
    ///   user sees it.
    /// - Throws: The errors of `session(for:)`, ``KinfolkError/Code/invalidArgument`` if the name is malformed,
    ///   ``KinfolkError/Code/limitExceeded`` if the user has too many devices, ``KinfolkError/Code/notAuthenticated`` if the account is
    ///   suspended and the device is new.
    public func session(for account: Account, device name: String) throws(KinfolkError) -> Session {
        try Device.validate(name: name)
        let session = try session(for: account)
        guard let user = session.recordID else { throw Session.nobody }
        let known = try service.read { db in
            try requireInUse(db)
            return try DeviceTable.id(named: name, of: user, service.keys(ofContainer: number, in: db), in: number, db)
        }
        func named(_ device: RandomID) -> Session {
            Session(container: self, account: session.account, recordID: user, device: device, named: name)
        }
        if let known { return named(known) }
        let new = named(.make())
        return try service.write { db in
            _ = try new.userInGoodStanding(db)
            // Another process may have been faster.
            let keys = try service.keys(ofContainer: number, in: db)
            if let known = try DeviceTable.id(named: name, of: user, keys, in: number, db) { return named(known) }
            _ = try DeviceTable.register(new, of: user, at: service.steadyClock(), db)
            return new
        }
    }
}
