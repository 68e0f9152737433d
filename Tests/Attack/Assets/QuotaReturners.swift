import Kinfolk
import TestSupport

/// People who fill the quota of a creator in the public database, and then try to have it again with the same addresses: by erasing the
/// account, by removing addresses and by moving them.
struct QuotaReturners {
    private let cycles: Int

    init(cycles: Int) { self.cycles = cycles }

    private static let quota = 1_000_000
    private static let file = 90_000

    private enum Way: String, CaseIterable {
        case keepsRecords = "erase the account and keep the records"
        case otherSpelling = "the same, with another spelling of the address each time"
        case littleByLittle = "the same, with a tenth of the quota each time"
        case ofOthers = "put the files into records of somebody else, erase the account"
        case byOperator = "let the operator erase the account and keep the records"
        case removed = "remove the address from the account, which stays"
        case removedAndErased = "remove the address from the account, erase it and keep the records"
        case moved = "move the address to another account"
        case claimed = "let another account claim the address"
        case inTurn = "replace the address of each account by a second one"
        case twoAddresses = "erase accounts that have two addresses, and return with one of them or both"
    }

    func findings() throws -> [Finding] { try Way.allCases.map(finding) }

    private func finding(_ way: Way) throws -> Finding {
        let scene = try AssetScene()
        let store = scene.store
        try store.container.setQuota(.creator, to: QuotaReturners.quota)
        let person = InventedPerson(2_000)
        try store.container.applySchema(
            "DEFINE SCHEMA RECORD TYPE Note (GRANT READ TO \"_world\", GRANT CREATE, WRITE TO \"_icloud\");"
        )
        // Somebody else, whose own records are small.
        let other = try store.session(InventedPerson(2_001)).publicDatabase
        var session = try signIn(store, [person.address])
        var previous: Account?
        // A claim takes a day, and something is remembered for 30.
        let cycles = way == .claimed ? min(cycles, 20) : way == .littleByLittle ? 8 * cycles : cycles
        for cycle in 0..<cycles {
            let count = way == .littleByLittle ? 1 : 100
            try fill(session, atMost: count, way == .ofOthers ? other : nil)
            let account = try store.account(of: session)
            switch way {
            case .keepsRecords, .littleByLittle, .byOperator:
                _ = try account.erase(keepsPublicRecords: true)
                session = try signIn(store, [person.address])
            case .otherSpelling:
                _ = try account.erase(keepsPublicRecords: true)
                session = try signIn(
                    store,
                    [cycle.isMultiple(of: 2) ? person.address.uppercased() : person.address.lowercased()]
                )
            case .ofOthers:
                _ = try account.erase()
                session = try signIn(store, [person.address])
            case .removed:
                try account.removeEmail(EmailAddress(person.address))
                session = try signIn(store, [person.address])
            case .removedAndErased:
                try account.removeEmail(EmailAddress(person.address))
                _ = try account.erase(keepsPublicRecords: true)
                session = try signIn(store, [person.address])
            case .inTurn:
                try previous?.removeEmail(EmailAddress(person.otherAddress))
                try account.addEmail(person.otherAddress, verified: true)
                try account.removeEmail(EmailAddress(person.address))
                previous = account
                session = try signIn(store, [person.address])
            case .moved:
                let next = try store.service.createAccount()
                try store.service.transferEmail(person.address, to: next)
                session = try store.container.session(for: next)
            case .claimed:
                let next = try store.service.createAccount()
                guard let claim = try next.addEmail(person.address, verified: true)?.claim else { break }
                _ = try store.service.acknowledgeNotice(of: claim.id)
                store.clock.advance(hours: 25)
                try next.addEmail(person.address, verified: true)
                session = try store.container.session(for: next)
            case .twoAddresses:
                _ = try account.erase(keepsPublicRecords: true)
                let both = [person.address, person.otherAddress]
                session = try signIn(store, cycle % 3 == 2 ? both : [both[cycle % 2]])
            }
        }
        let stored = try store.container.statistics().publicBytes
        // A person with two addresses could also have two accounts. The records of the other person are small.
        let bound =
            QuotaReturners.quota * (way == .twoAddresses || way == .inTurn ? 2 : 1) + (way == .ofOthers ? 20_000 : 0)
        return Finding(
            "fill the public database, \(way.rawValue), return with the address, \(cycles) times, with a quota of "
                + "\(QuotaReturners.quota.grouped) bytes for each creator",
            "\(stored.grouped) bytes",
            isHeld: stored <= bound && stored > QuotaReturners.quota / 2
        )
    }

    private func signIn(_ store: AttackedStore, _ addresses: [String]) throws -> Session {
        try store.container.session(
            for: store.service.createAccount(name: PersonName(), emails: addresses, verified: true)
        )
    }

    /// Saves files until the quota is reached.
    ///
    /// - Parameter other: Somebody else, in whose records the files are then; nil for records of the session.
    private func fill(_ session: Session, atMost count: Int, _ other: Database?) throws {
        let database = session.publicDatabase
        for _ in 0..<count {
            do {
                let asset = try database.upload(AssetScene.content(QuotaReturners.file))
                let id = try (other ?? database).save(AssetScene.record([])).id
                var record = try database.fetch(id)
                try record.set("file", to: .asset(asset))
                _ = try database.save(record)
            } catch let error as KinfolkError where error.code == .quotaExceeded { break }
        }
    }
}
