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
        if !service.permits.spend(count, of: holder, at: now) { try take(count, for: holder, at: now) }
        do {
            return try body()
        } catch {
            service.permits.add(count, to: holder, at: now)
            throw error
        }
    }

    /// How many permits the person has left, those in this service's memory included.
    package func permitsLeft() throws(KinfolkError) -> Double {
        guard let account else { throw Session.nobody }
        let holder = PermitLeases.Holder(account: account, container: container.number)
        let stored = try service.read { db in
            try PermitTable.held(by: holder, limit: container.permitLimit(db), at: service.steadyClock(), db)
        }
        return stored + Double(service.permits.count(of: holder))
    }

    /// Takes permits out of the store: those that are spent now and, if they are few, a block for the next lookups.
    private func take(_ count: Int, for holder: PermitLeases.Holder, at now: Timestamp) throws(KinfolkError) {
        let leases = service.permits
        var inMemory: [PermitLeases.Holder: PermitLeases.Lease] = [:]
        var clockIsBehind = false
        do {
            _ = try service.write { db in
                _ = try userInGoodStanding(db)
                // Another thread may have taken a block meanwhile.
                if leases.spend(count, of: holder, at: now) { return 0 }
                inMemory = leases.takeOut(holder, at: now)
                for (other, lease) in inMemory where other != holder && lease.permits > 0 {
                    try PermitTable.giveBack(lease.permits, to: other, db)
                }
                let limit = try container.permitLimit(db)
                guard count <= Int(limit.capacity) else { throw Session.tooMany(count, limit) }
                clockIsBehind = try PermitTable.wereCounted(after: now, of: holder, db)
                let stored = try PermitTable.held(by: holder, limit: limit, at: now, db)
                let held = min(Double(limit.capacity), stored + Double(inMemory[holder]?.permits ?? 0))
                guard held >= Double(count) else { throw Session.notNow(count, held: held, limit) }
                // Never more than an eighth of the rest: other processes see only what is in the store.
                let ahead = max(0, min(PermitLeases.block - count, (Int(held) - count) / 8))
                try PermitTable.set(held - Double(count + ahead), of: holder, at: now, db)
                return ahead
            } then: { ahead in
                leases.add(ahead, to: holder, at: now)
            }
        } catch {
            leases.putBack(inMemory)
            // Whoever has none left would gain none until it is that late again.
            if clockIsBehind { _ = try? service.write { db in try PermitTable.count(from: now, of: holder, db) } }
            throw error
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
