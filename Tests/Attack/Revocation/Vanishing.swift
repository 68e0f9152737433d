import Kinfolk

/// A kind of revocation, after which a person must not be found.
enum Vanishing: String, CaseIterable {
    case denied, suspended, erased, blocks, isBlocked, addressRemoved, addressHidden, addressTaken

    /// Whether the person may still be found by record ID.
    var leavesRecordID: Bool {
        switch self {
        case .addressRemoved, .addressHidden, .addressTaken: true
        case .denied, .suspended, .erased, .blocks, .isBlocked: false
        }
    }

    /// Whether this cannot be undone, so that each person can be used only once.
    var isFinal: Bool { self == .erased }

    func vanish(_ target: Target, _ cast: Cast) throws {
        switch self {
        case .denied: try target.session.setDiscoverability(.denied, wording: AttackedStore.wording)
        case .suspended: try target.account.suspend()
        case .erased: _ = try target.account.erase()
        case .blocks: try target.session.block(cast.seeker.userRecordID())
        case .isBlocked: try cast.seeker.block(target.record)
        case .addressRemoved: try target.account.removeEmail(target.email)
        case .addressHidden: try target.account.setEmailDiscoverable(target.email, false)
        case .addressTaken: try cast.taker.service.transferEmail(target.email.canonical, to: cast.taker)
        }
    }

    /// Makes the person findable again. Does nothing for a person who was never revoked.
    func undo(_ target: Target, _ cast: Cast) throws {
        switch self {
        case .denied: try target.session.setDiscoverability(.granted, wording: AttackedStore.wording)
        case .suspended: try target.account.resume()
        case .erased: break
        case .blocks: try target.session.unblock(cast.seeker.userRecordID())
        case .isBlocked: try cast.seeker.unblock(target.record)
        case .addressRemoved, .addressTaken:
            try target.account.service.transferEmail(target.email.canonical, to: target.account)
        case .addressHidden: try target.account.setEmailDiscoverable(target.email, true)
        }
    }
}

/// The person to revoke, with the sessions of one process.
struct Target: Sendable {
    let account: Account
    let session: Session
    let record: UserRecordID
    let email: EmailAddress
    let book: ContactBook
}

/// The other people of the races.
struct Cast: Sendable {
    /// Searches for the targets, on every thread of every process.
    let seeker: Session
    /// The account to which addresses are transferred.
    let taker: Account
}
