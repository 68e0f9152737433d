import KinfolkStorage

extension Session {
    /// Spends permits and runs a discovery. If that fails, they are there again.
    ///
    /// - Throws: ``KinfolkError/Code/limitExceeded`` if so many can never be held,
    ///   ``KinfolkError/Code/requestRateLimited`` if they are not there now. Then none is spent.
    func spending<Result>(
        _ count: Int,
        _ body: () throws(KinfolkError) -> Result
    ) throws(KinfolkError) -> Result {
        guard let account else { throw Session.nobody }
        guard count > 0 else { return try body() }
        let holder = PermitLeases.Holder(account: account, container: container.number)
        let now = service.steadyClock()
        if !service.permits.spend(count, of: holder, at: now) {
            do {
                try take(count, for: holder, at: now)
            } catch {
                if error.code == .requestRateLimited || error.code == .limitExceeded { note(.refusal) }
                throw error
            }
        }
        do {
            return try body()
        } catch {
            // In doubt they are forfeited, as in a crash: what they paid for may have been noted.
            if !error.isInDoubt { service.permits.add(count, to: holder, at: now) }
            throw error
        }
    }

    /// Counts what became of a discovery.
    func note(_ event: Activity.Event) { service.activity.note(event, in: container.number, at: service.clock()) }

    /// Gives permits back that ``spending(_:_:)`` spent on what was done in vain.
    func giveBack(_ count: Int) throws(KinfolkError) {
        guard let account else { throw Session.nobody }
        let holder = PermitLeases.Holder(account: account, container: container.number)
        service.permits.add(count, to: holder, at: service.steadyClock())
    }

    /// How many permits the person has left, those in this service's memory included.
    package func permitsLeft() throws(KinfolkError) -> Double {
        guard let account else { throw Session.nobody }
        let holder = PermitLeases.Holder(account: account, container: container.number)
        let stored = try service.read { db in
            try PermitTable.count(of: holder, limit: container.permitLimit(db), at: service.steadyClock(), db).permits
        }
        return stored + Double(service.permits.count(of: holder))
    }

    /// Takes permits out of the store: those that are spent now and, if they are few, a block for the next lookups.
    private func take(_ count: Int, for holder: PermitLeases.Holder, at now: Timestamp) throws(KinfolkError) {
        let leases = service.permits
        var inMemory: [PermitLeases.Holder: PermitLeases.Lease] = [:]
        var activity: [Activity.Row] = []
        var spentFromMemory = false
        // A refusal is a result here, because a clock that is behind must be noted.
        let ahead: Result<Int, KinfolkError>
        do {
            ahead = try service.write { db in
                // It may run again, on a server.
                leases.putBack(inMemory)
                service.activity.putBack(activity)
                if spentFromMemory { leases.add(count, to: holder, at: now) }
                (inMemory, activity, spentFromMemory) = ([:], [], false)
                _ = try userInGoodStanding(db)
                // Another thread may have taken a block meanwhile.
                spentFromMemory = leases.spend(count, of: holder, at: now)
                if spentFromMemory { return .success(0) }
                let limit = try container.permitLimit(db)
                guard count <= Int(limit.capacity) else { throw Session.tooMany(count, limit) }
                let stored = try PermitTable.count(of: holder, limit: limit, at: now, db)
                inMemory = leases.takeOut(holder, at: now)
                let held = min(Double(limit.capacity), stored.permits + Double(inMemory[holder]?.permits ?? 0))
                guard held >= Double(count) else {
                    // Whoever has none left would gain none until it is that late again.
                    if stored.isAhead { try PermitTable.set(stored.permits, of: holder, at: now, db) }
                    return .failure(Session.notNow(count, held: held, limit))
                }
                for (other, lease) in inMemory where other != holder && lease.permits > 0 {
                    try PermitTable.giveBack(lease.permits, to: other, db)
                }
                // Never more than an eighth of the rest: other processes see only what is in the store.
                let ahead = max(0, min(PermitLeases.block - count, (Int(held) - count) / 8))
                activity = service.activity.takeOut()
                try ActivityTable.add(activity, to: service.lane, db)
                try PermitTable.set(held - Double(count + ahead), of: holder, at: now, db)
                return .success(ahead)
            } then: { ahead in
                if case .success(let ahead) = ahead { leases.add(ahead, to: holder, at: now) }
            }
        } catch {
            // In doubt they are forfeited, as in a crash: the store may have counted them.
            if !error.isInDoubt {
                leases.putBack(inMemory)
                service.activity.putBack(activity)
            }
            if spentFromMemory { leases.add(count, to: holder, at: now) }
            throw error
        }
        if case .failure(let refusal) = ahead {
            leases.putBack(inMemory)
            throw refusal
        }
    }

    private static func tooMany(_ count: Int, _ limit: PermitLimit) -> KinfolkError {
        KinfolkError(
            .limitExceeded,
            "\(count) new contacts are more than the \(limit.capacity) permits that a person can hold. "
                + "Send the book in parts."
        )
    }

    private static func notNow(_ count: Int, held: Double, _ limit: PermitLimit) -> KinfolkError {
        // A rate of nothing has no moment to wait for; a year stands for it.
        let wait = limit.perHour > 0 ? (Double(count) - held) / limit.perHour * 3_600 : 31_536_000
        return KinfolkError(
            .requestRateLimited,
            "\(count) new contacts need as many permits, and \(Int(held)) are left.",
            retryAfter: min(max(wait, 1), 31_536_000)
        )
    }
}
