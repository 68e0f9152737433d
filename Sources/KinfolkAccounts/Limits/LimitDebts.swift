package import KinfolkCore
import KinfolkCrypto
package import KinfolkModel
package import KinfolkStorage

/// Remembers for an e-mail address how much of the limits was spent with it. Otherwise a person could erase an account, or remove
/// its address, return with the same address, and have the full limits again.
///
/// Everything spent is remembered, even if it is less than a new account may spend. Otherwise a person could spend that much,
/// erase the account and verify the address again, without end. Amounts are stored in sixteenths of the ceiling, rounded up. Of
/// the time only the day is stored; at its end the amounts begin to be regained. ``AddressHistory`` deletes them after at most 30
/// days.
package struct LimitDebts {
    private let service: Service
    private let keys: KeyRing
    private let history: AddressHistory
    private let now: Timestamp

    package init(_ service: Service, _ db: Connection) throws {
        self.service = service
        keys = try service.keys(db)
        now = service.steadyClock()
        history = AddressHistory(keys, at: now)
    }

    /// What is kept about the addresses of an erased account.
    package struct Remainder {
        package var addresses = 0
        package var until: Timestamp?

        package init(addresses: Int = 0, until: Timestamp? = nil) {
            self.addresses = addresses
            self.until = until
        }
    }

    // MARK: An account loses an address

    /// Stores what an account has spent, for verified addresses that it is about to lose because they are removed or move to
    /// another account, or because the account is erased. Call this before the addresses are deleted.
    ///
    /// - Parameter hashes: The contact hashes of these addresses.
    package func note(of account: AccountID, for hashes: [[UInt8]], _ db: Connection) throws {
        guard !hashes.isEmpty else { return }
        var spent: [Int64: [LimitKind: Spending?]] = [:]
        for row in try LimitTable.all(of: account, keys, db) {
            spent[row.holder.container, default: [:]][row.holder.kind] = .some(row.spending)
        }
        for (container, spendings) in spent.sorted(by: { $0.key < $1.key }) {
            let limits = try self.limits(of: container, db)
            var amounts: [LimitKind: Int64] = [:]
            for (kind, spending) in spendings {
                let limit = limits.limit(kind, isVerified: true)
                // A row that was edited without the key counts as fully spent, so that the person can still remove the address.
                let amount = spending?.at(now, limit).millionthsAtMost ?? limit.ceilingInMillionths
                if amount > 0 { amounts[kind] = amount }
            }
            guard !amounts.isEmpty else { continue }
            for (subject, entry) in try entries(of: hashes, in: container, db) {
                let before = entry.map { amountsNow($0, limits) } ?? [:]
                let merged = amounts.merging(before, uniquingKeysWith: max)
                try history.set(LimitDebts.bytes(merged, limits), of: subject, db)
            }
        }
    }

    /// How many of these addresses have stored amounts, or creators whose bytes count, in any container, and when the last of these
    /// expires.
    package func remainder(of hashes: [[UInt8]], _ db: Connection) throws -> Remainder {
        guard !hashes.isEmpty else { return Remainder() }
        let containers = try ContainerTable.all(db).map(\.number)
        var remainder = Remainder()
        for hash in hashes {
            let ends = try [AddressHistory.Kind.permits, .creators].flatMap { kind in
                try history.entries(of: containers.map { AddressHistory.Subject(kind, of: hash, in: $0) }, db)
                    .compactMap { entry in entry.map { AddressHistory.end(of: $0, kind) } }
            }
            guard let end = ends.max() else { continue }
            remainder.addresses += 1
            remainder.until = max(remainder.until ?? end, end)
        }
        return remainder
    }

    // MARK: An account gains an address

    /// Makes an account inherit what was spent with addresses that become verified for it. Call this in the transaction that
    /// verifies them, however that happens: by a code, by a host that vouches for them, or by a move. For containers in which the
    /// account has spent nothing yet, ``spendings(of:in:_:)`` does so later.
    ///
    /// - Parameter hashes: The contact hashes of these addresses.
    func inherit(_ account: AccountID, from hashes: [[UInt8]], _ db: Connection) throws {
        let rows = try LimitTable.all(of: account, keys, db)
        var own: [Int64: [LimitKind: Spending]] = [:]
        var changed: Set<LimitHolder> = []
        for row in rows {
            own[row.holder.container, default: [:]][row.holder.kind] = row.spending
            if row.spending == nil { changed.insert(row.holder) }
        }
        for container in own.keys.sorted() {
            let debts = try debts(of: hashes, in: container, db)
            for (kind, debt) in debts {
                let holder = LimitHolder(account: account, container: container, kind: kind)
                // A row that was edited without the key is left unchanged, and is refused when it is used.
                guard !changed.contains(holder) else { continue }
                let limit = try limits(of: container, db).limit(kind, isVerified: true)
                let before = own[container]?[kind]?.at(now, limit) ?? .none(at: now)
                guard debt.at(now, limit).millionths > before.millionths else { continue }
                try LimitTable.set(before.raised(to: debt), of: holder, keys, db)
            }
        }
    }

    /// What an account has spent in a container, including what it inherited from its addresses.
    ///
    /// - Returns: The spendings, and those of them that are not in the table of limits yet.
    package func spendings(
        of account: AccountID,
        in container: Int64,
        _ db: Connection
    ) throws -> (spendings: [LimitKind: Spending], inherited: [LimitKind: Spending]) {
        let known = try LimitTable.spendings(of: account, in: container, keys, db)
        guard known.isEmpty else { return (known, [:]) }
        guard try AddressHistoryTable.hasKeys(db) else { return ([:], [:]) }
        let hashes = try EmailTable.verifiedHashes(of: account, keys, db)
        let inherited = try debts(of: hashes, in: container, db)
        return (inherited, inherited)
    }

    // MARK: The operator lowers what was spent

    /// Reduces what the addresses of an account remember of a limit to the amount that the operator sets. Otherwise the old
    /// amount would return when the next address is verified or the account is erased.
    package func lower(
        _ kind: LimitKind,
        of account: AccountID,
        in container: Int64,
        to spending: Spending,
        _ db: Connection
    )
        throws
    {
        guard try AddressHistoryTable.hasKeys(db) else { return }
        let hashes = try EmailTable.verifiedHashes(of: account, keys, db)
        let limits = try self.limits(of: container, db)
        for (subject, entry) in try entries(of: hashes, in: container, db) {
            guard let entry else { continue }
            var amounts = amountsNow(entry, limits)
            guard let amount = amounts[kind], amount > spending.millionths else { continue }
            amounts[kind] = spending.millionths > 0 ? spending.millionths : nil
            if amounts.isEmpty {
                try history.remove(subject, db)
            } else {
                try history.set(LimitDebts.bytes(amounts, limits), of: subject, db)
            }
        }
    }

    // MARK: Amounts

    private func limits(of container: Int64, _ db: Connection) throws -> ContainerLimits {
        try ContainerLimitsTable.limits(of: container, keys, db)
    }

    /// What is remembered about each of these addresses in a container.
    private func entries(
        of hashes: [[UInt8]],
        in container: Int64,
        _ db: Connection
    ) throws -> [(subject: AddressHistory.Subject, entry: AddressHistory.Entry?)] {
        let subjects = hashes.map { AddressHistory.Subject(.permits, of: $0, in: container) }
        return Array(zip(subjects, try history.entries(of: subjects, db)))
    }

    /// The largest amount spent with any of these addresses, by kind.
    private func debts(of hashes: [[UInt8]], in container: Int64, _ db: Connection) throws -> [LimitKind: Spending] {
        let entries = try entries(of: hashes, in: container, db).compactMap(\.entry)
        guard !entries.isEmpty else { return [:] }
        let limits = try self.limits(of: container, db)
        return entries.reduce(into: [:]) { all, entry in
            for (kind, debt) in debts(entry, limits) {
                let limit = limits.limit(kind, isVerified: true)
                let other = all[kind]?.at(now, limit).millionths ?? 0
                if debt.at(now, limit).millionths > other { all[kind] = debt }
            }
        }
    }

    /// The remembered spending of an address that has not accrued again, counted from the end of the day on which it was
    /// stored.
    ///
    /// It is not calculated for the current time: the same time in the limits of all containers would let applications
    /// recognise, by equal fractions of permits, which of their users are the same person.
    private func debts(_ entry: AddressHistory.Entry, _ limits: ContainerLimits) -> [LimitKind: Spending] {
        let start = Timestamp(startOfDay: entry.day &+ 1)
        var debts: [LimitKind: Spending] = [:]
        for (kind, amount) in LimitDebts.amounts(entry.value) {
            let debt = Spending(millionths: amount, countedAt: start)
            if debt.at(now, limits.limit(kind, isVerified: true)).millionths > 0 { debts[kind] = debt }
        }
        return debts
    }

    /// The part of it that has not accrued again.
    private func amountsNow(_ entry: AddressHistory.Entry, _ limits: ContainerLimits) -> [LimitKind: Int64] {
        var amounts: [LimitKind: Int64] = [:]
        for (kind, debt) in debts(entry, limits) {
            amounts[kind] = debt.at(now, limits.limit(kind, isVerified: true)).millionths
        }
        return amounts
    }

    /// For each kind one byte for the kind and eight bytes for the amount, rounded up.
    private static func bytes(_ amounts: [LimitKind: Int64], _ limits: ContainerLimits) -> [UInt8] {
        amounts.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { kind, amount in
            let step = max(limits.limit(kind, isVerified: true).ceilingInMillionths / 16, 1)
            let steps = min(amount, Spending.most) / step + (amount % step > 0 ? 1 : 0)
            let (rounded, overflow) = steps.multipliedReportingOverflow(by: step)
            return [kind.rawValue] + withUnsafeBytes(of: (overflow ? Spending.most : rounded).bigEndian, Array.init)
        }
    }

    private static func amounts(_ bytes: [UInt8]) -> [(kind: LimitKind, amount: Int64)] {
        stride(from: 0, to: bytes.count - bytes.count % 9, by: 9).compactMap { start in
            guard let kind = LimitKind(rawValue: bytes[start]) else { return nil }
            return (kind, bytes[start + 1..<start + 9].reduce(Int64(0)) { $0 << 8 | Int64($1) })
        }
    }
}
