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
/// An account can also lose its last verified address, and stay. Then its bytes count for the address in the same way, and the account
/// creates nothing more until it has another address, for at most 30 days.
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

    /// What is remembered about an address: two IDs, zeros for none, and a number of 8 bytes.
    private struct Debt {
        /// For whom is counted what erasures have left.
        var erased: UserRecordID?
        /// The user that lost the address last.
        var loser: UserRecordID?
        /// The bytes of those that lost it before.
        var bytes = 0

        init() {}

        init(_ stored: [UInt8]) {
            func user(_ start: Int) -> UserRecordID? {
                stored.dropFirst(start).prefix(RandomID.length).withUnsafeBytes(RandomID.init(bytes:))
                    .flatMap { $0.tag == Tag() ? nil : UserRecordID($0) }
            }
            (erased, loser) = (user(0), user(RandomID.length))
            bytes = stored.dropFirst(2 * RandomID.length).prefix(8).reduce(0) { $0 << 8 | Int($1) }
        }

        var stored: [UInt8] {
            [erased, loser].flatMap { $0?.value.bytes ?? Tag().bytes }
                + withUnsafeBytes(of: Int64(bytes).bigEndian, Array.init)
        }
    }

    // MARK: Erasure

    /// For whom to count what the erasure of an account leaves in a public database: the erased creator of one of the addresses, or a new
    /// one. Nil if no quota depends on it, or if the account has no verified address.
    ///
    /// - Parameter hashes: The contact hashes of the account's verified addresses.
    package func erasedCreator(for hashes: [[UInt8]], in container: Int64) throws -> UserRecordID? {
        guard try !hashes.isEmpty && isLimited(container) else { return nil }
        return try debts(of: hashes, in: container).compactMap(\.debt.erased).first ?? UserRecordID(.make())
    }

    /// Stores for each address that the bytes of an erased creator count, unless there are none. An address that has another erased
    /// creator keeps that one, for 30 days more.
    package func note(_ erased: UserRecordID, for hashes: [[UInt8]], in container: Int64) throws {
        guard try bytes(of: erased, in: container) > 0 else { return }
        for (subject, known) in try debts(of: hashes, in: container) {
            var debt = known
            debt.erased = known.erased ?? erased
            try history.set(debt.stored, of: subject, db)
        }
    }

    // MARK: The loss of the last address

    /// Notes that accounts have lost their last verified address.
    func note(_ changes: [AccountChange]) throws {
        for case .changed(let before, let after) in changes {
            let lost = before.emails.filter(\.isVerified)
            guard !lost.isEmpty, !after.emails.contains(where: \.isVerified) else { continue }
            for user in after.users where try isLimited(user.container) {
                try history.set([], of: stop(of: user.record, in: user.container), db)
                guard try bytes(of: user.record, in: user.container) > 0 else { continue }
                let hashes = try lost.map { try $0.open(with: keys).hash }
                for (subject, known) in try debts(of: hashes, in: user.container) where known.loser != user.record {
                    var debt = known
                    if let loser = known.loser {
                        debt.bytes = min(debt.bytes + (try bytes(of: loser, in: user.container)), 1 << 54)
                    }
                    debt.loser = user.record
                    try history.set(debt.stored, of: subject, db)
                }
            }
        }
    }

    /// Under this subject it is remembered that a user has lost the last address. A contact hash has another length.
    private func stop(of user: UserRecordID, in container: Int64) -> AddressHistory.Subject {
        AddressHistory.Subject(.creators, of: user.value.bytes, in: container)
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
            sum + max(0, try bytes(of: other, in: container))
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
        if hashes.isEmpty { debts.isStopped = try history.entry(of: stop(of: user, in: container), db) != nil }
        for (_, debt) in try self.debts(of: hashes, in: container) {
            debts.creators.formUnion([debt.erased, debt.loser].compactMap(\.self))
            debts.bytes += debt.bytes
        }
        debts.creators.remove(user)
        if let standing { known.note(debts, of: key, standing, on: day) }
        return debts
    }

    private func bytes(of creator: UserRecordID, in container: Int64) throws -> Int {
        try ByteCountTable.total(.creator, of: creator.value.bytes, in: container, db)
    }

    private func debts(
        of hashes: [[UInt8]],
        in container: Int64
    ) throws -> [(subject: AddressHistory.Subject, debt: Debt)] {
        let subjects = hashes.map { AddressHistory.Subject(.creators, of: $0, in: container) }
        return try zip(subjects, history.entries(of: subjects, db)).map { subject, entry in
            (subject, entry.map { Debt($0.value) } ?? Debt())
        }
    }

    private func isLimited(_ container: Int64) throws -> Bool {
        guard try ContainerTable.exists(container, db) else { return false }
        return try ContainerLimitsTable.limits(of: container, keys, db).quotas[.creator] != nil
    }
}
