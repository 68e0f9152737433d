import Kinfolk

/// A way in which a person ceases to be found.
enum Vanishing: String, CaseIterable {
    case denied, suspended, erased, blocks, isBlocked, addressRemoved, addressHidden, addressTaken

    /// Whether the person is still found by record ID, as is right.
    var leavesRecordID: Bool {
        switch self {
        case .addressRemoved, .addressHidden, .addressTaken: true
        case .denied, .suspended, .erased, .blocks, .isBlocked: false
        }
    }

    /// Whether each person can vanish so only once.
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

    /// Makes the person be found again. Nothing to do for somebody who never vanished.
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

/// A person who vanishes, as one process sees them.
struct Target: Sendable {
    let account: Account
    let session: Session
    let record: UserRecordID
    let email: EmailAddress
    let book: ContactBook
}

/// Who else has a part.
struct Cast: Sendable {
    /// Searches for the targets, on every thread of every process.
    let seeker: Session
    /// Takes addresses away.
    let taker: Account
}
