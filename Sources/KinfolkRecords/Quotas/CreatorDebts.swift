import KinfolkAccounts
package import KinfolkCore
import KinfolkCrypto
package import KinfolkModel
package import KinfolkStorage

/// Remembers for an e-mail address whose bytes in the public database of a container count for the account that has the address.
/// Otherwise a person could fill the quota of a creator, erase the account and keep the records, return with the same address, and fill
/// the quota again.
///
/// What an erasure leaves in the public database counts for a random ID, an erased creator, which is sealed in the kept records and
/// assets. For each verified address of the erased account, ``AddressHistory`` keeps that ID for 30 days. So kept bytes count like those
/// of living creators, and count no more when the records are deleted.
///
/// An account can also lose an address, and stay. Then its bytes count for an address that it has left, if there is room in the quota.
/// Otherwise they count for the lost address, also after the account is erased. An account that has lost its last verified address
/// creates nothing more until it has another one, for at most 30 days.
///
/// Nothing is remembered in containers without a quota of a creator.
package struct CreatorDebts {
    private let service: Service
    private let keys: KeyRing
    private let history: AddressHistory
    private let db: Connection

    package init(_ service: Service, _ db: Connection) throws {
        self.service = service
        self.db = db
        keys = try service.keys(db)
        history = AddressHistory(keys, at: service.steadyClock())
    }

    /// What is remembered about an address: two IDs, zeros for none, and two numbers of 8 bytes.
    private struct Debt {
        /// For whom is counted what erasures have left.
        var erased: UserRecordID?
        /// The alias of the user that lost the address last.
        var loser: UserRecordID?
        /// The bytes of those that lost it before.
        var bytes = 0
        /// The bytes of the last user at the loss. What this user creates later does not count for the address.
        var lost = 0

        init() {}

        init(_ stored: [UInt8]) {
            func user(_ start: Int) -> UserRecordID? {
                stored.dropFirst(start).prefix(RandomID.length).withUnsafeBytes(RandomID.init(bytes:))
                    .flatMap { $0.tag == Tag() ? nil : UserRecordID($0) }
            }
            func number(_ start: Int) -> Int { stored.dropFirst(start).prefix(8).reduce(0) { $0 << 8 | Int($1) } }
            (erased, loser) = (user(0), user(RandomID.length))
            (bytes, lost) = (number(2 * RandomID.length), number(2 * RandomID.length + 8))
        }

        var stored: [UInt8] {
            [erased, loser].flatMap { $0?.value.bytes ?? Tag().bytes }
                + [bytes, lost].flatMap { withUnsafeBytes(of: Int64($0).bigEndian, Array.init) }
        }

        mutating func add(_ more: Int) { bytes = min(bytes + max(0, more), 1 << 54) }
    }

    private typealias KnownDebt = (subject: AddressHistory.Subject, debt: Debt)

    // MARK: Erasure

    /// For whom the bytes count that an erasure leaves.
    package struct ErasedCreator {
        package let id: UserRecordID
        /// Whether there was room for them in the quota of one of the addresses.
        fileprivate let isWithinQuota: Bool
        /// The bytes that counted for the ID before.
        fileprivate let bytes: Int
    }

    /// For whom to count what the erasure of an account leaves in a public database: the erased creator of an address whose quota has
    /// room, or of an address that the account has lost, or a new one. Nil if no quota depends on it, or if the account had no verified
    /// address. What is remembered about the user is deleted.
    ///
    /// - Parameter hashes: The contact hashes of the account's verified addresses.
    package func takeErasedCreator(
        of user: UserRecordID,
        for hashes: [[UInt8]],
        in container: Int64
    ) throws -> ErasedCreator? {
        let pledge = try history.entry(of: subject(of: user, in: container), db).map { Debt($0.value) }
        if let pledge {
            for id in [user, pledge.loser].compactMap(\.self) { try history.remove(subject(of: id, in: container), db) }
        }
        guard let quota = try quota(of: container), pledge != nil || !hashes.isEmpty else { return nil }
        let debts = try debts(of: hashes, in: container)
        let home = try home(of: user, among: debts, in: container, quota: quota)
        let known = home.map(\.erased) ?? pledge?.erased ?? debts.compactMap(\.debt.erased).first
        let id = known ?? UserRecordID(.make())
        return ErasedCreator(id: id, isWithinQuota: home != nil, bytes: try bytes(of: id, in: container))
    }

    /// Deletes what is remembered about an account that has lost its last address and is erased.
    package func forget(_ account: AccountID) throws { try history.remove(stop(of: account), db) }

    /// Stores for each address that the bytes of an erased creator count, unless there are none. An address that has another erased
    /// creator keeps that one, for 30 days more. If no address had room for the new bytes, they count for each address.
    package func note(_ creator: ErasedCreator, for hashes: [[UInt8]], in container: Int64) throws {
        let bytes = try bytes(of: creator.id, in: container)
        guard bytes > 0 else { return }
        for (subject, known) in try debts(of: hashes, in: container) {
            var debt = known
            debt.erased = known.erased ?? creator.id
            if debt.erased != creator.id, !creator.isWithinQuota { debt.add(bytes - creator.bytes) }
            try history.set(debt.stored, of: subject, db)
        }
    }

    // MARK: The loss of an address

    /// Notes that accounts have lost verified addresses.
    func note(_ changes: [AccountChange]) throws {
        for case .changed(let before, let after) in changes {
            let left = after.emails.filter(\.isVerified)
            let numbers = Set(left.map(\.number))
            let lost = before.emails.filter { $0.isVerified && !numbers.contains($0.number) }
            guard !lost.isEmpty else { continue }
            // Also for containers that the account has not used yet.
            if left.isEmpty, try ContainerTable.all(db).contains(where: { try quota(of: $0.number) != nil }) {
                try history.set([], of: stop(of: after.account.standing.id), db)
            }
            for user in after.users {
                guard let quota = try quota(of: user.container),
                    try bytes(of: user.record, in: user.container) > 0
                else { continue }
                let others = try debts(of: left.map { try $0.open(with: keys).hash }, in: user.container)
                let home = try home(of: user.record, among: others, in: user.container, quota: quota)
                guard home == nil else { continue }
                try pass(user.record, to: lost.map { try $0.open(with: keys).hash }, in: user.container)
            }
        }
    }

    /// Makes the bytes of a user count for addresses that it has lost.
    ///
    /// The erased creator is chosen now, because a later erasure does not know the addresses any more. And so that nothing about the
    /// addresses refers to a user who was erased, they have an alias. It leads to the user until the erasure.
    private func pass(_ user: UserRecordID, to hashes: [[UInt8]], in container: Int64) throws {
        let debts = try debts(of: hashes, in: container)
        var pledge = try history.entry(of: subject(of: user, in: container), db).map { Debt($0.value) } ?? Debt()
        let erased = pledge.erased ?? debts.compactMap(\.debt.erased).first ?? UserRecordID(.make())
        let alias = pledge.loser ?? UserRecordID(.make())
        (pledge.erased, pledge.loser) = (erased, alias)
        try history.set(pledge.stored, of: subject(of: user, in: container), db)
        var meaning = Debt()
        meaning.loser = user
        try history.set(meaning.stored, of: subject(of: alias, in: container), db)
        let bytes = try bytes(of: user, in: container)
        for (subject, known) in debts {
            var debt = known
            debt.erased = known.erased ?? erased
            if debt.erased != erased {
                // What the user leaves will count for the erased creator of another lost address.
                debt.add(bytes)
            } else {
                if debt.loser != alias { debt.add(try lostBytes(of: known, in: container)?.bytes ?? 0) }
                (debt.loser, debt.lost) = (alias, bytes)
            }
            try history.set(debt.stored, of: subject, db)
        }
    }

    /// The first of these debts that leaves room in the quota for the bytes of a user.
    private func home(
        of user: UserRecordID,
        among debts: [KnownDebt],
        in container: Int64,
        quota: Int
    ) throws -> Debt? {
        let own = try bytes(of: user, in: container)
        return try debts.map(\.debt).first { debt in
            let lost = try lostBytes(of: debt, in: container)
            let erased = try debt.erased.map { try bytes(of: $0, in: container) } ?? 0
            return own + debt.bytes + max(0, erased) + (lost?.user == user ? 0 : lost?.bytes ?? 0) <= quota
        }
    }

    /// The user that lost an address last, and the bytes of this user that count for the address.
    private func lostBytes(of debt: Debt, in container: Int64) throws -> (user: UserRecordID, bytes: Int)? {
        guard let alias = debt.loser, let entry = try history.entry(of: subject(of: alias, in: container), db),
            let user = Debt(entry.value).loser
        else { return nil }
        return (user, min(max(0, try bytes(of: user, in: container)), debt.lost))
    }

    /// Under this subject it is remembered that an account has lost its last address. A contact hash has another length.
    private func stop(of account: AccountID) -> AddressHistory.Subject {
        AddressHistory.Subject(.creators, of: account.value.bytes)
    }

    /// Under this subject are the erased creator and the alias of a user that has lost an address, and the user of an alias.
    private func subject(of id: UserRecordID, in container: Int64) -> AddressHistory.Subject {
        AddressHistory.Subject(.creators, of: id.value.bytes, in: container)
    }

    // MARK: What counts for a creator

    /// The bytes that count for a creator, living or erased, in a container with this quota.
    ///
    /// Those of others are rounded up to a sixteenth of the quota: the exact number would tell an application which erased user has come back.
    func total(of creator: UserRecordID, in container: Int64, quota: Int) throws -> Int {
        let own = try bytes(of: creator, in: container)
        // An erased creator is no user.
        guard let account = try UserTable.row(of: creator, in: container, service, db)?.account else { return own }
        let debts = try debts(of: account, creator, in: container)
        guard !debts.isStopped else { return max(own, quota) }
        let others = try debts.creators.reduce(debts.bytes) { sum, other in
            sum + min(max(0, try bytes(of: other.key, in: container)), other.value)
        }
        let step = max(quota / 16, 1)
        return own + (others / step + (others % step > 0 ? 1 : 0)) * step
    }

    private func debts(of account: AccountID, _ user: UserRecordID, in container: Int64) throws -> KnownDebts.Debts {
        let known = service.part(KnownDebts.self)
        let key = KnownDebts.Key(account: account, container: container)
        let (standing, day) = (try AccountTable.row(account, db)?.standing, service.steadyClock().day)
        if let standing, let debts = known.debts(of: key, standing, on: day) { return debts }
        var debts = KnownDebts.Debts()
        let hashes = try EmailTable.verifiedHashes(of: account, keys, db)
        if hashes.isEmpty { debts.isStopped = try history.entry(of: stop(of: account), db) != nil }
        for (_, debt) in try self.debts(of: hashes, in: container) {
            if let erased = debt.erased { debts.creators[erased] = .max }
            if let loser = try lostBytes(of: debt, in: container)?.user, loser != user {
                debts.creators[loser] = max(debts.creators[loser] ?? 0, debt.lost)
            }
            debts.bytes += debt.bytes
        }
        if let standing { known.note(debts, of: key, standing, on: day) }
        return debts
    }

    private func bytes(of creator: UserRecordID, in container: Int64) throws -> Int {
        try ByteCountTable.total(.creator, of: creator.value.bytes, in: container, db)
    }

    private func debts(
        of hashes: [[UInt8]],
        in container: Int64
    ) throws -> [KnownDebt] {
        let subjects = hashes.map { AddressHistory.Subject(.creators, of: $0, in: container) }
        return try zip(subjects, history.entries(of: subjects, db)).map { subject, entry in
            (subject, entry.map { Debt($0.value) } ?? Debt())
        }
    }

    /// The quota of each creator in a container; nil if the container has no such quota.
    private func quota(of container: Int64) throws -> Int? {
        guard try ContainerTable.exists(container, db) else { return nil }
        return try ContainerLimitsTable.limits(of: container, keys, db).quotas[.creator]
    }
}
