import Kinfolk
import KinfolkJSON

/// The statistics of a container, as they are shown.
struct StatsView {
    let name: String
    let statistics: ContainerStatistics

    private static let day: Int64 = 86_400_000_000
    private let limit: PermitLimit
    private let quotas: QuotasView
    private let today = Timestamp.now.startOfDay

    init(_ container: Container) throws(KinfolkError) {
        name = container.name
        limit = try container.permitLimit()
        quotas = try QuotasView(container)
        statistics = try container.statistics()
    }

    var blocks: [Answer.Block] {
        var table = Table(.flexible(name), .number(""), .fixed(""))
        for (what, count) in rows { table.add(what, "\(count)", "") }
        for (what, count, quota) in storage { table.add(what, "\(count)", quota) }
        let limits = "A person holds at most \(limit.capacity) permits, and gains \(limit.shownRate) an hour."
        return [.table(table), .line(""), .line(limits), .line("")] + history
    }

    private var history: [Answer.Block] {
        guard let first = statistics.optedIn.first?.day else { return [.line("Nobody has opted in yet.")] }
        // If a clock was wrong once, there may be days far in the past, or in the future.
        let earliest = Timestamp(microseconds: today.microseconds - 36_525 * StatsView.day)
        let (begin, end) = (max(first, earliest), max(first, today))
        return [
            .line("Opted in, \(begin.shownDay)\(begin < end ? " to \(end.shownDay)" : ""):"),
            .plot(Plot(values: daily(from: begin, to: end))),
        ]
    }

    private var rows: [(String, Int)] {
        [
            ("people", statistics.people),
            ("  opted in", statistics.granted),
            ("  declined", statistics.denied),
            ("  not asked yet", statistics.undetermined),
            ("can be found now", statistics.discoverable),
            ("suspended", statistics.suspended),
            ("searched for new contacts lately", statistics.peopleWhoAsked),
            ("  permits spent, not accrued again", statistics.permitsSpent),
            ("  no permits left: refused now", statistics.peopleWithoutPermits),
            ("discoveries today", today(\.discoveries)),
            ("  in the last 30 days", lately(\.discoveries)),
            ("refused by the limit today", today(\.refusals)),
            ("  in the last 30 days", lately(\.refusals)),
            ("blocks by people", statistics.blocksByPeople),
            ("blocks by the operator", statistics.blocksByOperator),
            ("accounts looked up (audit)", statistics.accountLookups),
        ]
    }

    /// The stored bytes, with the quotas that limit them.
    private var storage: [(String, Int, String)] {
        func limits(_ limits: (limit: Int?, of: String)...) -> String {
            let texts = limits.compactMap { limit, of in limit.map { "\(ByteLimit($0).text) \(of)" } }
            return texts.isEmpty ? "" : "at most \(texts.joined(separator: ", "))"
        }
        return [
            ("bytes of private databases", statistics.privateBytes, limits((quotas.user, "a user"))),
            (
                "bytes of the public database", statistics.publicBytes,
                limits((quotas.publicDatabase, "in all"), (quotas.creator, "a user"))
            ),
            ("assets of records", statistics.assets, ""),
            ("  their bytes", statistics.assetBytes, limits((quotas.asset, "each"))),
        ]
    }

    private func today(_ count: KeyPath<ContainerStatistics.Activity, Int>) -> Int {
        statistics.activity.last { $0.day == today }?[keyPath: count] ?? 0
    }

    private func lately(_ count: KeyPath<ContainerStatistics.Activity, Int>) -> Int {
        let first = today.microseconds - 29 * StatsView.day
        return statistics.activity.filter { $0.day.microseconds >= first }.reduce(0) { $0 + $1[keyPath: count] }
    }

    /// How many had opted in at the end of each day.
    private func daily(from first: Timestamp, to last: Timestamp) -> [Int] {
        var changes = statistics.optedIn[...]
        var people = 0
        return (0...(last.microseconds - first.microseconds) / StatsView.day).map { number in
            let day = first.microseconds + number * StatsView.day
            while let next = changes.first, next.day.microseconds <= day { people = changes.removeFirst().people }
            return people
        }
    }

    var json: JSON {
        [
            "container": .string(name),
            "people": .count(statistics.people),
            "granted": .count(statistics.granted),
            "denied": .count(statistics.denied),
            "undetermined": .count(statistics.undetermined),
            "discoverable": .count(statistics.discoverable),
            "suspended": .count(statistics.suspended),
            "people_who_asked": .count(statistics.peopleWhoAsked),
            "permits_spent": .count(statistics.permitsSpent),
            "people_without_permits": .count(statistics.peopleWithoutPermits),
            "permit_capacity": .integer(Int64(limit.capacity)),
            "permits_per_hour": .double(limit.perHour),
            "blocks_by_people": .count(statistics.blocksByPeople),
            "blocks_by_operator": .count(statistics.blocksByOperator),
            "account_lookups": .count(statistics.accountLookups),
            "private_bytes": .count(statistics.privateBytes),
            "public_bytes": .count(statistics.publicBytes),
            "assets": .count(statistics.assets),
            "asset_bytes": .count(statistics.assetBytes),
            "quotas": quotas.json,
            "activity": .array(
                statistics.activity.map { day in
                    [
                        "day": .string(day.day.shownDay),
                        "discoveries": .count(day.discoveries),
                        "refusals": .count(day.refusals),
                    ]
                }
            ),
            "opted_in": .array(
                statistics.optedIn.map { ["day": .string($0.day.shownDay), "people": .count($0.people)] }
            ),
        ]
    }
}

extension Timestamp {
    /// `2026-01-31`.
    fileprivate var shownDay: String { String(description.prefix { $0 != "T" }) }
}
