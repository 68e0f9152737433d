import KinfolkAccounts
import KinfolkCore
import KinfolkCrypto
import KinfolkModel
import KinfolkStorage

/// Checks everything that belongs to accounts: their rows, the values sealed in them, and the directory rows derived from them.
struct AccountCheck {
    /// The number of accounts whose directory rows are compared together.
    private static let batchSize = 500

    private let check: StoreChecker
    private var directories: DirectoryCheck
    /// People who can be found and whose rows are not compared yet, by container.
    private var people: [Int64: [DirectoryCheck.Person]] = [:]
    private var (read, readable) = (0, 0)

    private var db: Connection { check.db }
    private var keys: KeyRing { check.keys }

    init(_ check: StoreChecker) {
        self.check = check
        directories = DirectoryCheck(check)
    }

    mutating func run() throws {
        try check.forEachRow(of: "accounts") { row in
            read += 1
            try checkAccount(AccountID(row.id("account_id")))
            if read.isMultiple(of: AccountCheck.batchSize) { try compare() }
        }
        try compare()
        // If an account cannot be read, it is unknown whether its people can be found. Rows without a known account may then be valid.
        if readable == check.rowCount(of: "accounts") { try directories.countOthers() }
    }

    private mutating func compare() throws {
        for (container, people) in people where check.isInUse(container) {
            try directories.compare(people, in: container)
        }
        people = [:]
    }

    private mutating func checkAccount(_ id: AccountID) throws {
        var found: AccountRows?
        try check.attempt("accounts") {
            let rows = try AccountRows.load(id, db)
            try rows?.verify(with: keys)
            found = rows
        }
        try checkLimits(of: id)
        guard let rows = found else { return }
        for user in rows.users {
            guard let keys = try check.keys(of: user.container) else { continue }
            try check.attempt("consents") { _ = try ConsentTable.all(of: id, in: user.container, keys, db) }
        }
        guard let name = try name(of: rows), let hashes = try findableHashes(of: rows) else { return }
        readable += 1
        guard !rows.account.isSuspended else { return }
        for user in rows.users where rows.isDiscoverable(in: user.container) {
            let person = DirectoryCheck.Person(
                record: user.record,
                account: id,
                revision: rows.account.standing.revision,
                name: name,
                blocked: (rows.blocks[user.container] ?? []).map(\.blocked),
                hashes: hashes
            )
            people[user.container, default: []].append(person)
        }
    }

    private func checkLimits(of id: AccountID) throws {
        try check.attempt("limits") {
            let changed = try LimitTable.all(of: id, keys, db).count { $0.spending == nil }
            if changed > 0 { check.found(.changed, in: "limits", changed) }
        }
    }

    /// The name; nil if it cannot be opened.
    private func name(of rows: AccountRows) throws -> PersonName? {
        var name: PersonName?
        try check.attempt("accounts") { name = try rows.account.name(with: keys) }
        return name
    }

    /// The contact hashes of the addresses by which the account is found. Nil if one of its addresses cannot be opened.
    private func findableHashes(of rows: AccountRows) throws -> [[UInt8]]? {
        var hashes: [[UInt8]] = []
        var opened = 0
        for row in rows.emails {
            try check.attempt("emails") {
                let address = try row.open(with: keys)
                guard keys.tags(of: address.hash).contains(row.tag) else { throw AccountRows.changed }
                opened += 1
                if row.isVerified && row.isDiscoverable { hashes.append(address.hash) }
            }
        }
        return opened == rows.emails.count ? hashes : nil
    }
}
