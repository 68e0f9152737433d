import KinfolkContacts
package import KinfolkCore
package import KinfolkCrypto
package import KinfolkModel
package import KinfolkStorage

/// The claims on addresses, as one transaction sees and changes them.
package struct Claims {
    /// How long a claim can be completed after the wait.
    private static let completion = 7 * 86_400.0
    /// How long a claim waits for its notice, and how long a refusal is effective.
    private static let month = 30 * 86_400.0
    /// The most claims on an address, also lapsed ones that are not deleted yet. Each is by somebody who reads its mails.
    private static let limitOfAddress = 20

    private let keys: KeyRing
    private let db: Connection
    private let now: Timestamp

    package init(_ service: Service, _ db: Connection) throws {
        keys = try service.keys(db)
        self.db = db
        now = service.steadyClock()
    }

    package static var none: KinfolkError { KinfolkError(.unknownItem, "There is no such claim.") }

    // MARK: Changes

    /// Records that an account proved an address that another account has verified.
    ///
    /// - Returns: The claim; nil if it is completed, and the caller must move the address to the claimant.
    package func prove(_ address: EmailTable.Address, by claimant: AccountID, against owner: AccountID) throws
        -> EmailClaim?
    {
        let tags = keys.tags(of: address.hash)
        let known = try current(ClaimTable.rows(of: claimant, on: tags, keys, db)).first { $0.owner == owner }
        if known == nil { try requireRoom(on: tags, for: claimant) }
        var claim =
            known
            ?? ClaimTable.Row(
                id: ClaimID(.make()),
                tag: keys.newest.emailTags.tag(address.hash),
                claimant: claimant,
                owner: owner,
                decision: .open,
                openedAt: now,
                address: address
            )
        switch state(of: claim) {
        case .completable:
            guard try wasRefused(address.hash) else { return nil }
            claim.decision = .disputed
        case .refused: if isInTime(claim) { claim.decision = .disputed }
        case .awaitingNotice, .waiting, .disputed, .dismissed: break
        }
        try ClaimTable.save(claim, keys, db)
        return try view(claim)
    }

    /// A claim of the claimant that has lapsed, or is against an earlier owner, is replaced, and so takes no room.
    private func requireRoom(on tags: [Tag], for claimant: AccountID) throws {
        guard try ClaimTable.rows(of: claimant, on: tags, keys, db).isEmpty else { return }
        let counts = try ClaimTable.counts(on: tags, by: claimant, db)
        guard counts.onAddress < Claims.limitOfAddress, counts.own < Account.maximumEmails else {
            throw KinfolkError(
                .limitExceeded,
                "An address has at most \(Claims.limitOfAddress) claims, and an account makes at most \(Account.maximumEmails)."
            )
        }
    }

    /// Starts the wait of a claim, unless it has already started.
    package func acknowledgeNotice(of id: ClaimID) throws -> EmailClaim {
        var claim = try find(id)
        if claim.noticedAt == nil {
            try begin(&claim)
            try ClaimTable.save(claim, keys, db)
        }
        return try present(claim)
    }

    /// Refuses the undecided claims on an address.
    package func refuse(_ address: EmailTable.Address, by owner: AccountID) throws -> [EmailClaim] {
        let tags = keys.tags(of: address.hash)
        let open = try current(ClaimTable.rows(against: owner, keys, db))
            .filter { $0.decision == .open && tags.contains($0.tag) }
        guard !open.isEmpty else { throw Claims.none }
        return try open.map { claim in
            var claim = claim
            if claim.noticedAt == nil { try begin(&claim) }
            return try decide(claim, .refused)
        }
    }

    /// Decides a claim in favour of the owner.
    package func dismiss(_ id: ClaimID) throws -> EmailClaim { try decide(find(id), .dismissed) }

    /// Ends the claim of an account that removes the address. A refusal remains, so that removing the address does not allow a
    /// new claim.
    package func withdraw(_ tags: [Tag], by claimant: AccountID) throws {
        for row in try ClaimTable.rows(of: claimant, on: tags, keys, db) {
            guard row.decision != .dismissed else { continue }
            guard row.decidedAt != nil else {
                try ClaimTable.delete(row, db)
                continue
            }
            var row = row
            row.decision = .refused
            try ClaimTable.save(row, keys, db)
        }
    }

    /// Deletes claims that have lapsed.
    func expire() throws {
        var last: ClaimID?
        while let final = try expire(after: last) { last = final }
    }

    private func expire(after last: ClaimID?) throws -> ClaimID? {
        let rows: [ClaimTable.Row]
        // A row that was changed without the key must not stop the daily work. Using that claim throws `storeCorrupt`.
        do { rows = try ClaimTable.rows(after: last, limit: 1_000, keys, db) } catch is CryptoError { return nil }
        for row in rows {
            let claim = dated(row)
            if hasLapsed(claim) {
                try ClaimTable.delete(row, db)
            } else if claim.openedAt != row.openedAt || claim.noticedAt != row.noticedAt {
                try ClaimTable.save(claim, keys, db)
            }
        }
        return rows.last?.id
    }

    /// Re-seals an account's claims under the newest keys.
    package static func reseal(of claimant: AccountID, _ keys: KeyRing, _ db: Connection) throws {
        for row in try ClaimTable.rows(of: claimant, keys, db) { try ClaimTable.save(row, keys, db) }
    }

    // MARK: Questions

    /// Whether the owner of an address can refuse a claim on it.
    func hasOpen(against owner: AccountID, _ tags: [Tag]) throws -> Bool {
        try current(ClaimTable.rows(against: owner, keys, db))
            .contains { $0.decision == .open && tags.contains($0.tag) }
    }

    package func by(_ claimant: AccountID) throws -> [EmailClaim] {
        try current(ClaimTable.rows(of: claimant, keys, db)).compactMap(view)
    }

    package func against(_ owner: AccountID) throws -> [EmailClaim] {
        let verified = try verified(of: owner)
        return try current(ClaimTable.rows(against: owner, keys, db)).compactMap { try view($0, verified) }
    }

    /// In the order of their IDs.
    package func all(after last: ClaimID?, limit: Int) throws -> [EmailClaim] {
        var claims: [EmailClaim] = []
        var last = last
        // A page may include lapsed claims; it is then filled from the next page.
        while claims.count < limit {
            let rows = try ClaimTable.rows(after: last, limit: limit - claims.count, keys, db)
            guard let final = rows.last else { break }
            claims += try current(rows).compactMap(view)
            last = final.id
        }
        return claims
    }

    // MARK: Time

    private func state(of claim: ClaimTable.Row) -> EmailClaim.State {
        switch claim.decision {
        case .refused: return .refused
        case .disputed: return .disputed
        case .dismissed: return .dismissed
        case .open:
            guard let completableAt = claim.completableAt else { return .awaitingNotice }
            return now < completableAt ? .waiting : .completable
        }
    }

    /// Whether a proof now completes a claim that has not been refused.
    private func isInTime(_ claim: ClaimTable.Row) -> Bool {
        guard let completableAt = claim.completableAt else { return false }
        return now >= completableAt && now < completableAt.adding(seconds: Claims.completion)
    }

    private func hasLapsed(_ claim: ClaimTable.Row) -> Bool {
        let completion = claim.completableAt?.adding(seconds: Claims.completion)
        switch claim.decision {
        case .open: return now >= completion ?? claim.openedAt.adding(seconds: Claims.month)
        case .refused, .dismissed:
            let decision = (claim.decidedAt ?? claim.openedAt).adding(seconds: Claims.month)
            return now >= max(decision, completion ?? decision)
        case .disputed: return false
        }
    }

    /// The claims that have not lapsed.
    private func current(_ rows: [ClaimTable.Row]) -> [ClaimTable.Row] { rows.map(dated).filter { !hasLapsed($0) } }

    /// Corrects the times of a claim that were set by a clock that was ahead: they become `now`, so that the wait is neither
    /// longer nor shorter.
    private func dated(_ claim: ClaimTable.Row) -> ClaimTable.Row {
        var claim = claim
        claim.openedAt = min(claim.openedAt, now)
        claim.decidedAt = claim.decidedAt.map { min($0, now) }
        if let noticedAt = claim.noticedAt, let completableAt = claim.completableAt, noticedAt > now {
            claim.noticedAt = now
            claim.completableAt = now.adding(seconds: completableAt.seconds(since: noticedAt))
        }
        return claim
    }

    private func begin(_ claim: inout ClaimTable.Row) throws {
        claim.noticedAt = now
        claim.completableAt = now.adding(seconds: try ClaimWait.value(keys, db))
    }

    // MARK: Parts

    private func find(_ id: ClaimID) throws -> ClaimTable.Row {
        guard let row = try ClaimTable.row(id, keys, db), let claim = current([row]).first, try view(claim) != nil
        else { throw Claims.none }
        return claim
    }

    private func decide(_ claim: ClaimTable.Row, _ decision: ClaimTable.Decision) throws -> EmailClaim {
        var claim = claim
        claim.decision = decision
        claim.decidedAt = now
        try ClaimTable.save(claim, keys, db)
        // The refusal also applies to an account that is created after this one is erased.
        let moment = withUnsafeBytes(of: now.microseconds.bigEndian, Array.init)
        try AddressHistory(keys, at: now).set(moment, of: Claims.refusals(claim.address.hash), db)
        return try present(claim)
    }

    private func wasRefused(_ hash: [UInt8]) throws -> Bool {
        try AddressHistory(keys, at: now).entry(of: Claims.refusals(hash), db) != nil
    }

    private static func refusals(_ hash: [UInt8]) -> AddressHistory.Subject {
        AddressHistory.Subject(.refusals, of: hash)
    }

    private func present(_ claim: ClaimTable.Row) throws -> EmailClaim {
        guard let view = try view(claim) else { throw Claims.none }
        return view
    }

    /// The claim as callers see it. Nil if the claim is void because its owner no longer has the address verified.
    private func view(_ claim: ClaimTable.Row) throws -> EmailClaim? { try view(claim, verified(of: claim.owner)) }

    private func verified(of owner: AccountID) throws -> [EmailTable.Row] {
        try EmailTable.all(of: owner, db).filter(\.isVerified)
    }

    /// - Parameter verified: The verified addresses of the claim's owner.
    private func view(_ claim: ClaimTable.Row, _ verified: [EmailTable.Row]) throws -> EmailClaim? {
        let tags = keys.tags(of: claim.address.hash)
        guard let disputed = verified.first(where: { tags.contains($0.tag) }) else { return nil }
        return EmailClaim(
            id: claim.id,
            address: try disputed.open(with: keys).spelling,
            owner: claim.owner,
            claimant: claim.claimant,
            state: state(of: claim),
            openedAt: claim.openedAt,
            noticedAt: claim.noticedAt,
            completableAt: claim.completableAt,
            notice: try verified.map { try EmailAddress($0.open(with: keys).spelling).canonical }
        )
    }
}
