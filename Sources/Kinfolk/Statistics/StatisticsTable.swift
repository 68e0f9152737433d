import KinfolkAccounts
import KinfolkModel
import KinfolkStorage

/// Counts over the tables of a container.
enum StatisticsTable {
    static func people(in container: Int64, _ db: Connection) throws -> (all: Int, suspended: Int) {
        try db.first(
            """
            SELECT count(*), count(CASE WHEN a.is_suspended <> 0 THEN 1 END) FROM users u
            JOIN accounts a ON a.account_id = u.account_id WHERE u.container_id = $1
            """,
            .integer(container)
        ) { (Int($0.integer(0)), Int($0.integer(1))) } ?? (0, 0)
    }

    static func discoverable(in container: Int64, _ db: Connection) throws -> Int {
        try db.first("SELECT count(*) FROM identities WHERE container_id = $1", .integer(container)) {
            Int($0.integer(0))
        } ?? 0
    }

    static func blocks(in container: Int64, _ db: Connection) throws -> (byPeople: Int, byOperator: Int) {
        try db.first(
            """
            SELECT count(CASE WHEN is_operators = 0 THEN 1 END), count(CASE WHEN is_operators <> 0 THEN 1 END) FROM blocks
            WHERE container_id = $1
            """,
            .integer(container)
        ) { (Int($0.integer(0)), Int($0.integer(1))) } ?? (0, 0)
    }

    static func accountLookups(in container: Int64, _ db: Connection) throws -> Int {
        try db.first("SELECT count(*) FROM audit WHERE container_id = $1", .integer(container)) {
            Int($0.integer(0))
        } ?? 0
    }

    /// How many people have spent permits, how many permits they have not regained, and how many people have less than one
    /// permit.
    static func permits(
        in container: Int64,
        _ limits: ContainerLimits,
        at now: Timestamp,
        _ db: Connection
    ) throws -> (people: Int, spent: Int, peopleWithout: Int) {
        var (people, spent, peopleWithout) = (0, 0, 0)
        try LimitTable.forEach(.permits, in: container, db) { stored, isVerified in
            let limit = limits.limit(.permits, isVerified: isVerified)
            let spending = stored.at(now, limit)
            if spending.millionths > 0 { people += 1 }
            // The store may contain any value.
            spent = min(spent + Int(spending.adding(1).millionths - 1) / Int(Limit.unit), 1 << 60)
            if spending.left(of: limit) < Limit.unit { peopleWithout += 1 }
        }
        return (people, spent, peopleWithout)
    }

    /// How many people's last decision is granted or denied, and how the number of grants changed from day to day.
    static func decisions(
        in container: Int64,
        _ db: Connection
    ) throws -> (granted: Int, denied: Int, history: [ContainerStatistics.OptedIn]) {
        var changes: [Timestamp: Int] = [:]
        var denied = 0
        var last: (account: [UInt8], decision: Discoverability)?
        let statement = try db.statement(
            """
            SELECT account_id, decision, decided_at FROM consents WHERE container_id = $1
            ORDER BY account_id, number
            """
        )
        defer { db.finish(statement) }
        try statement.bind([.integer(container)])
        while try statement.step() {
            let account = statement.bytes(0)
            let decision = Discoverability(rawValue: Int32(truncatingIfNeeded: statement.integer(1))) ?? .undetermined
            let before = last?.account == account ? last?.decision : nil
            let change = (decision == .granted ? 1 : 0) - (before == .granted ? 1 : 0)
            if change != 0 {
                changes[Timestamp(microseconds: statement.integer(2)).startOfDay, default: 0] += change
            }
            denied += (decision == .denied ? 1 : 0) - (before == .denied ? 1 : 0)
            last = (account, decision)
        }
        var granted = 0
        var history: [ContainerStatistics.OptedIn] = []
        for (day, change) in changes.sorted(by: { $0.key < $1.key }) where change != 0 {
            granted += change
            history.append(.init(day: day, people: granted))
        }
        return (granted, denied, history)
    }
}
