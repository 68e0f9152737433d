import KinfolkCore
public import KinfolkModel
package import KinfolkStorage

extension Session {
    /// Spends from a limit and runs what it pays for. If that fails, the amount is given back.
    ///
    /// - Throws: ``KinfolkError/Code/limitExceeded`` if the person can never hold that many,
    ///   ``KinfolkError/Code/requestRateLimited`` if fewer are left now. In both cases nothing is spent.
    package func spending<Result>(
        _ count: Int,
        of kind: LimitKind = .permits,
        _ body: () throws(KinfolkError) -> Result
    ) throws(KinfolkError) -> Result {
        try charge(count, of: kind)
        do {
            return try body()
        } catch {
            // If the outcome is unknown, the amount is lost, as in a crash: what it paid for may have been stored.
            if !error.isInDoubt { try giveBack(count, of: kind) }
            throw error
        }
    }

    /// Spends from a limit, even if the work that follows fails.
    ///
    /// - Throws: The same errors as ``spending(_:of:_:)``.
    package func charge(_ count: Int, of kind: LimitKind) throws(KinfolkError) {
        guard count > 0 else { return }
        let holder = try holder(kind)
        let now = service.steadyClock()
        guard !service.leases.spend(count, of: holder, at: now) else { return }
        // First, other services of this process charge what they have spent of amounts that would now be returned automatically.
        service.settleEndedLeasesOfOthers()
        do {
            try take(count, for: holder, at: now)
        } catch {
            if error.code == .requestRateLimited || error.code == .limitExceeded { note(.refusal) }
            throw error
        }
    }

    /// Charges the number of rows that a request is expected to read, runs `body`, which reads and counts them, and charges or
    /// gives back the difference, even if `body` fails.
    ///
    /// - Throws: The same errors as ``spending(_:of:_:)``, and those of ``RowMeter/count(_:)`` in `body`.
    package func metering<Result>(
        rows expected: Int,
        _ body: (RowMeter) throws(KinfolkError) -> Result
    ) throws(KinfolkError) -> Result {
        try charge(expected, of: .rows)
        let meter = RowMeter(paid: expected)
        func settle() throws(KinfolkError) {
            if meter.rows < expected { return try giveBack(expected - meter.rows, of: .rows) }
            if meter.rows > expected { try chargeAfterwards(meter.rows - expected, of: .rows) }
        }
        let result: Result
        do { result = try body(meter) } catch {
            // The first failure is the one to report.
            try? settle()
            throw error
        }
        try settle()
        return result
    }

    /// Spends from a limit inside a write transaction, without leasing more.
    package func spend(_ count: Int, of kind: LimitKind, _ db: Connection) throws {
        guard count > 0 else { return }
        let holder = try holder(kind)
        let now = service.steadyClock()
        let standing = try standing(of: holder, db)
        try standing.requireCapacity(for: count)
        let spending = standing.spending.at(now, standing.limit)
        guard spending.left(of: standing.limit) >= Limit.millionths(Int64(count)) else {
            throw standing.refusal(count, spending)
        }
        try standing.store(spending.adding(Int64(count)), service.keys(db), db)
    }

    /// Counts a discovery or a refusal.
    package func note(_ event: Activity.Event) {
        service.activity.note(event, in: container.number, at: service.clock())
    }

    /// Returns an amount because the work that it paid for failed.
    package func giveBack(_ count: Int, of kind: LimitKind = .permits) throws(KinfolkError) {
        guard count > 0 else { return }
        let holder = try holder(kind)
        let now = service.steadyClock()
        guard !service.leases.giveBack(count, to: holder) else { return }
        // Work of private requests is settled often, and can wait for the next charge. A permit must not be lost when the process
        // ends.
        guard kind == .permits else { return service.leases.add(count, to: holder, at: now) }
        do {
            try service.write { db in
                guard try AccountTable.row(holder.account, db) != nil else { return }
                let standing = try standing(of: holder, db)
                try standing.store(standing.spending.removing(Int64(count)), service.keys(db), db)
            }
        } catch {
            if !error.isInDoubt { service.leases.add(count, to: holder, at: now) }
        }
    }

    /// How many permits the person has left in this container, rounded down: how many new contacts they may search for now.
    /// Permits that other processes have leased for the person count as spent.
    ///
    /// - Throws: ``KinfolkError/Code/notAuthenticated`` if the session is anonymous or its account was erased.
    public func permitsLeft() throws(KinfolkError) -> UInt32 {
        let rest = try service.read { db in
            _ = try user(db)
            return try left(of: .permits, inMemory: true, db)
        }
        return UInt32(clamping: rest / Limit.unit)
    }

    /// What is left of a limit, in millionths.
    package func left(of kind: LimitKind) throws(KinfolkError) -> Int64 {
        try service.read { db in try left(of: kind, inMemory: true, db) }
    }

    /// What is left of a limit, in millionths, inside a transaction.
    ///
    /// - Parameter inMemory: Whether the lease that this service has in memory counts as left.
    package func left(of kind: LimitKind, inMemory: Bool = false, _ db: Connection) throws -> Int64 {
        let holder = try holder(kind)
        let standing = try standing(of: holder, db)
        let spending = standing.spending.settling(inMemory ? service.leases.lease(of: holder) : nil)
        return spending.at(service.steadyClock(), standing.limit).left(of: standing.limit)
    }

    /// Sets how much is left, for the operator. Call this in a write transaction.
    ///
    /// - Parameter count: The amount; nil for the maximum.
    /// - Returns: The lease that this service had, which is now void.
    func setLeft(_ count: UInt32?, of kind: LimitKind, _ db: Connection) throws -> [LimitHolder: LimitLeases.Lease] {
        let holder = try holder(kind)
        let standing = try standing(of: holder, db)
        let left = count.map(Int64.init) ?? standing.limit.ceiling
        guard left <= standing.limit.ceiling else {
            throw KinfolkError(
                .limitExceeded,
                "The person can hold \(standing.limit.ceiling) \(kind.name): raise the limit first."
            )
        }
        let spent = standing.limit.ceilingInMillionths - Limit.millionths(left)
        let spending = Spending(millionths: spent, countedAt: service.steadyClock())
        try standing.store(spending, service.keys(db), db)
        try LimitDebts(service, db).lower(kind, of: holder.account, in: holder.container, to: spending, db)
        return service.leases.takeOut(only: holder)
    }

    private func holder(_ kind: LimitKind) throws(KinfolkError) -> LimitHolder {
        guard let account else { throw Session.nobody }
        return LimitHolder(account: account, container: container.number, kind: kind)
    }

    // MARK: In the store

    /// A person's limit, and what was spent of it.
    private struct Standing {
        let holder: LimitHolder
        let limit: Limit
        let spending: Spending
        /// Spendings that were inherited from the person's addresses and are not in the table of limits yet.
        let inherited: [LimitKind: Spending]

        /// Stores a spending, and all inherited ones.
        func store(_ spending: Spending, _ keys: KeyRing, _ db: Connection) throws {
            for (kind, spending) in inherited where kind != holder.kind {
                let other = LimitHolder(account: holder.account, container: holder.container, kind: kind)
                try LimitTable.set(spending, of: other, keys, db)
            }
            try LimitTable.set(spending, of: holder, keys, db)
        }

        func requireCapacity(for count: Int) throws(KinfolkError) {
            guard Int64(count) > limit.ceiling else { return }
            throw KinfolkError(.limitExceeded, Standing.tooMany(count, holder.kind, limit))
        }

        private static func tooMany(_ count: Int, _ kind: LimitKind, _ limit: Limit) -> String {
            switch kind {
            case .permits:
                "\(count) new contacts are more than the \(limit.ceiling) permits that the person can hold. "
                    + "Send the book in parts."
            case .multiplications, .rows:
                "This call needs \(count) \(kind.name), and the person may cause at most \(limit.ceiling) a day in this container."
            case .fields:
                limit.ceiling == 0
                    ? "Only the operator adds fields to this container's records."
                    : "A person may add at most \(limit.ceiling) new fields to this container's records."
            }
        }

        func refusal(_ count: Int, _ spending: Spending) -> KinfolkError {
            let left = spending.left(of: limit)
            switch holder.kind {
            case .fields:
                return KinfolkError(.limitExceeded, Standing.tooMany(count, .fields, limit))
            case .permits, .multiplications, .rows:
                // Based on what was spent, which may now be more than the ceiling.
                let room = limit.ceilingInMillionths - Limit.millionths(Int64(count))
                let reason =
                    holder.kind == .permits
                    ? "\(count) new contacts need as many permits, and \(left / Limit.unit) are left."
                    : "This call needs \(count) \(holder.kind.name), and \(left / Limit.unit) are left."
                return KinfolkError(
                    .requestRateLimited,
                    reason,
                    retryAfter: limit.seconds(toRegain: max(0, spending.millionths - room))
                )
            }
        }
    }

    private func standing(of holder: LimitHolder, _ db: Connection) throws -> Standing {
        let keys = try service.keys(db)
        try db.askAhead {
            try ContainerLimitsTable.askAhead(holder.container, db)
            try LimitTable.askAhead(holder.account, in: holder.container, db)
            _ = try EmailTable.hasVerified(holder.account, db)
        }
        let limits = try ContainerLimitsTable.limits(of: holder.container, keys, db)
        let limit = limits.limit(holder.kind, isVerified: try EmailTable.hasVerified(holder.account, db))
        let found = try LimitDebts(service, db).spendings(of: holder.account, in: holder.container, db)
        return Standing(
            holder: holder,
            limit: limit,
            spending: found.spendings[holder.kind] ?? .none(at: service.steadyClock()),
            inherited: found.inherited
        )
    }

    /// Charges what was spent beyond an earlier charge, even if less than that is left.
    private func chargeAfterwards(_ count: Int, of kind: LimitKind) throws(KinfolkError) {
        let holder = try holder(kind)
        try service.write { db in
            // Nothing is stored for an account that no longer exists.
            guard try AccountTable.row(holder.account, db) != nil else { return }
            let standing = try standing(of: holder, db)
            let spending = standing.spending.at(service.steadyClock(), standing.limit)
            try standing.store(spending.adding(Int64(count)), service.keys(db), db)
        }
    }

    /// The result of an attempt to take from the store what is spent now.
    private enum Taking {
        /// Another thread has leased enough meanwhile.
        case spentFromMemory
        case taken(size: Int, ahead: Int, window: Int64)
        /// Returned and not thrown, because a time that was reset must be committed.
        case refused(KinfolkError)
    }

    /// Takes from the store what is spent now and, if the charge belongs to a series of small ones, more for the next ones.
    private func take(_ count: Int, for holder: LimitHolder, at now: Timestamp) throws(KinfolkError) {
        let leases = service.leases
        var inMemory: [LimitHolder: LimitLeases.Lease] = [:]
        var activity: [Activity.Row] = []
        var spentFromMemory = false
        let taking: Taking
        do {
            taking = try service.write { db in
                // On a server, this may run again.
                leases.putBack(inMemory)
                service.activity.putBack(activity)
                if spentFromMemory { leases.add(count, to: holder, at: now) }
                (inMemory, activity, spentFromMemory) = ([:], [], false)
                _ = try userInGoodStanding(db)
                spentFromMemory = leases.spend(count, of: holder, at: now)
                if spentFromMemory { return .spentFromMemory }
                let standing = try standing(of: holder, db)
                try standing.requireCapacity(for: count)
                let keys = try service.keys(db)
                inMemory = leases.takeOut(holder, at: now)
                let spending = standing.spending.settling(inMemory[holder]).at(now, standing.limit)
                let left = spending.left(of: standing.limit)
                guard left >= Limit.millionths(Int64(count)) else {
                    // If the clock went back, reset the time; otherwise nothing would be regained until the clock catches up.
                    if standing.spending.countedAt > now || !standing.inherited.isEmpty {
                        try standing.store(standing.spending.at(now, standing.limit), keys, db)
                    }
                    return .refused(standing.refusal(count, spending))
                }
                try LimitTable.settle(inMemory.filter { $0.key != holder }, keys, db)
                // Never more than an eighth of the rest, because other processes see only what is in the store.
                let rest = Int(clamping: left / Limit.unit) - count
                let size = leases.size(for: count, of: holder, after: inMemory[holder], at: now)
                let ahead = max(0, min(size - count, rest / 8))
                activity = service.activity.takeOut()
                try ActivityTable.add(activity, to: service.lane, db)
                let spent = spending.adding(Int64(count)).takingAhead(Int64(ahead))
                try standing.store(spent, keys, db)
                return .taken(size: size, ahead: ahead, window: spent.leased.window)
            } then: { taking in
                guard case .taken(let size, let ahead, let window) = taking else { return }
                leases.noteCharge(count, size: size, ahead: ahead, in: window, of: holder, at: now)
            }
        } catch {
            // If the outcome is unknown, the lease may already have been settled. It is then treated as returned automatically,
            // and what was spent of it is charged again: a limit errs on the safe side.
            leases.putBack(inMemory)
            if !error.isInDoubt { service.activity.putBack(activity) }
            if spentFromMemory { leases.add(count, to: holder, at: now) }
            throw error
        }
        if case .refused(let refusal) = taking {
            leases.putBack(inMemory)
            throw refusal
        }
    }
}
