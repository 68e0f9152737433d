import Kinfolk

/// Attempts to get an address by proving it. The attacker reads its mails, so only the owner's objection can stop the claim.
struct ClaimAttempts {
    /// A store with the owner of an address, and the passes of the last mails.
    private final class Scene {
        let store: AttackedStore
        let owner: Account
        let spelling: String
        let email: EmailAddress
        private var pass: String?

        var service: Service { store.service }

        init() throws {
            store = try AttackedStore()
            let victim = InventedPerson(41_000)
            owner = try store.account(victim)
            spelling = victim.address
            email = try EmailAddress(victim.address)
        }

        func claimant() throws -> Account {
            let account = try service.createAccount()
            try account.addEmail(spelling)
            return account
        }

        func code(_ account: Account, for purpose: CodePurpose = .addEmail) throws -> String {
            guard let mail = try account.requestVerification(of: email, for: purpose, pass: pass) else {
                throw ExperimentFailure("a pass did not allow a mail")
            }
            pass = mail.pass
            return mail.code
        }

        @discardableResult
        func prove(_ account: Account) throws -> EmailClaim? {
            try account.verifyEmail(email, code: code(account)).claim
        }

        /// A claim whose notice was mailed.
        func claim(_ account: Account) throws -> EmailClaim {
            guard let claim = try prove(account) else { throw ExperimentFailure("the address moved at once") }
            return try service.acknowledgeNotice(of: claim.id)
        }

        func refuse() throws { _ = try owner.refuseClaims(on: email, code: code(owner, for: .refuseClaim)) }

        func isOwners() throws -> Bool { try service.account(email: email).id == owner.id }
    }

    func withoutNotice() throws -> Finding {
        let scene = try Scene()
        let claimant = try scene.claimant()
        var proofs = 0
        for _ in 0..<90 {
            try scene.prove(claimant)
            proofs += 1
            scene.store.clock.advance(hours: 24)
        }
        return finding("\(proofs) proofs in 90 days, no notice mailed", try scene.isOwners())
    }

    func withoutWaiting() throws -> Finding {
        let scene = try Scene()
        let claimant = try scene.claimant()
        _ = try scene.claim(claimant)
        var isOwners = true
        for _ in 0..<23 {
            scene.store.clock.advance(hours: 1)
            try scene.prove(claimant)
            _ = try scene.store.reopened()
            _ = try scene.service.rotateKeys()
            isOwners = try isOwners && scene.isOwners()
        }
        return finding("a proof each hour of the wait", isOwners)
    }

    /// An honest claim, which must succeed.
    func inSilence() throws -> Finding {
        let scene = try Scene()
        let claimant = try scene.claimant()
        _ = try scene.claim(claimant)
        scene.store.clock.advance(hours: 24)
        let waited = try scene.isOwners()
        try scene.prove(claimant)
        let hasMoved = try scene.service.account(email: scene.email).id == claimant.id
        return Finding(
            "notice, wait without objection, second proof",
            "the address \(hasMoved ? "moved" : "did not move"), and not before",
            isHeld: waited && hasMoved
        )
    }

    func thatAreRefused() throws -> Finding {
        let scene = try Scene()
        let claimant = try scene.claimant()
        _ = try scene.claim(claimant)
        try scene.refuse()
        var isOwners = true
        for _ in 0..<20 {
            scene.store.clock.advance(hours: 24)
            try claimant.removeEmail(scene.email)
            try claimant.addEmail(scene.spelling)
            try scene.prove(claimant)
            isOwners = try isOwners && scene.isOwners()
        }
        return finding("refused; a proof each day of 20", isOwners)
    }

    func erasedAndMadeAnew() throws -> Finding {
        let scene = try Scene()
        var claimant = try scene.claimant()
        _ = try scene.claim(claimant)
        try scene.refuse()
        var isOwners = true
        for _ in 0..<14 {
            _ = try claimant.erase()
            claimant = try scene.claimant()
            _ = try scene.claim(claimant)
            scene.store.clock.advance(hours: 48)
            try scene.prove(claimant)
            isOwners = try isOwners && scene.isOwners()
        }
        return finding("refused; account erased and address claimed again 14 times", isOwners)
    }

    func byTwo() throws -> Finding {
        let scene = try Scene()
        let pair = [try scene.claimant(), try scene.claimant()]
        for claimant in pair { _ = try scene.claim(claimant) }
        scene.store.clock.advance(hours: 24)
        try scene.prove(pair[0])
        let second = try scene.prove(pair[1])
        let holder = try scene.service.account(email: scene.email).id
        return Finding(
            "two claimants, no objection",
            "the second must claim again, from the first",
            isHeld: holder == pair[0].id && second?.owner == pair[0].id && second?.state == .awaitingNotice
        )
    }

    func byTheHostsWord() throws -> Finding {
        let scene = try Scene()
        var isOwners = true
        for _ in 0..<20 {
            let account = try scene.service.createAccount()
            try account.addEmail(scene.spelling, verified: true)
            try account.addEmail(scene.spelling, verified: true)
            isOwners = try isOwners && scene.isOwners()
            _ = try account.erase()
        }
        return finding("the host says 20 times that the address is verified", isOwners)
    }

    private func finding(_ tried: String, _ isOwners: Bool) -> Finding {
        Finding(tried, isOwners ? "the owner keeps the address" : "the owner lost the address", isHeld: isOwners)
    }
}
