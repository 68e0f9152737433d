public import CKinfolk
import Kinfolk

/// The statistics of a container.
final class StatisticsHandle: Handle, @unchecked Sendable {
    let statistics: ContainerStatistics

    init(_ statistics: ContainerStatistics) { self.statistics = statistics }
}

@_cdecl("kinfolk_container_statistics") @implementation
public func kinfolk_container_statistics(
    _ handle: OpaquePointer?,
    _ statistics: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let statistics = try output(statistics)
        statistics.pointee = makeHandle(StatisticsHandle(try container(handle).statistics()))
    }
}

private func number(_ handle: OpaquePointer?, _ value: (ContainerStatistics) -> Int) -> UInt64 {
    peek(handle, as: StatisticsHandle.self).map { UInt64(clamping: value($0.statistics)) } ?? 0
}

@_cdecl("kinfolk_statistics_people") @implementation
public func kinfolk_statistics_people(_ statistics: OpaquePointer?) -> UInt64 {
    number(statistics, \.people)
}

@_cdecl("kinfolk_statistics_granted") @implementation
public func kinfolk_statistics_granted(_ statistics: OpaquePointer?) -> UInt64 {
    number(statistics, \.granted)
}

@_cdecl("kinfolk_statistics_denied") @implementation
public func kinfolk_statistics_denied(_ statistics: OpaquePointer?) -> UInt64 {
    number(statistics, \.denied)
}

@_cdecl("kinfolk_statistics_undetermined") @implementation
public func kinfolk_statistics_undetermined(_ statistics: OpaquePointer?) -> UInt64 {
    number(statistics, \.undetermined)
}

@_cdecl("kinfolk_statistics_discoverable") @implementation
public func kinfolk_statistics_discoverable(_ statistics: OpaquePointer?) -> UInt64 {
    number(statistics, \.discoverable)
}

@_cdecl("kinfolk_statistics_suspended") @implementation
public func kinfolk_statistics_suspended(_ statistics: OpaquePointer?) -> UInt64 {
    number(statistics, \.suspended)
}

@_cdecl("kinfolk_statistics_people_who_asked") @implementation
public func kinfolk_statistics_people_who_asked(_ statistics: OpaquePointer?) -> UInt64 {
    number(statistics, \.peopleWhoAsked)
}

@_cdecl("kinfolk_statistics_permits_spent") @implementation
public func kinfolk_statistics_permits_spent(_ statistics: OpaquePointer?) -> UInt64 {
    number(statistics, \.permitsSpent)
}

@_cdecl("kinfolk_statistics_people_without_permits") @implementation
public func kinfolk_statistics_people_without_permits(_ statistics: OpaquePointer?) -> UInt64 {
    number(statistics, \.peopleWithoutPermits)
}

@_cdecl("kinfolk_statistics_blocks_by_people") @implementation
public func kinfolk_statistics_blocks_by_people(_ statistics: OpaquePointer?) -> UInt64 {
    number(statistics, \.blocksByPeople)
}

@_cdecl("kinfolk_statistics_blocks_by_operator") @implementation
public func kinfolk_statistics_blocks_by_operator(_ statistics: OpaquePointer?) -> UInt64 {
    number(statistics, \.blocksByOperator)
}

@_cdecl("kinfolk_statistics_account_lookups") @implementation
public func kinfolk_statistics_account_lookups(_ statistics: OpaquePointer?) -> UInt64 {
    number(statistics, \.accountLookups)
}

@_cdecl("kinfolk_statistics_private_bytes") @implementation
public func kinfolk_statistics_private_bytes(_ statistics: OpaquePointer?) -> UInt64 {
    number(statistics, \.privateBytes)
}

@_cdecl("kinfolk_statistics_public_bytes") @implementation
public func kinfolk_statistics_public_bytes(_ statistics: OpaquePointer?) -> UInt64 {
    number(statistics, \.publicBytes)
}

@_cdecl("kinfolk_statistics_assets") @implementation
public func kinfolk_statistics_assets(_ statistics: OpaquePointer?) -> UInt64 {
    number(statistics, \.assets)
}

@_cdecl("kinfolk_statistics_asset_bytes") @implementation
public func kinfolk_statistics_asset_bytes(_ statistics: OpaquePointer?) -> UInt64 {
    number(statistics, \.assetBytes)
}

// MARK: Days

/// One of the statistics' days; nil if there is no such day.
private func day<Day>(
    _ handle: OpaquePointer?,
    _ days: (ContainerStatistics) -> [Day],
    _ index: Int
) -> Day? {
    guard let days = peek(handle, as: StatisticsHandle.self).map({ days($0.statistics) }), days.indices.contains(index)
    else { return nil }
    return days[index]
}

@_cdecl("kinfolk_statistics_activity_count") @implementation
public func kinfolk_statistics_activity_count(_ statistics: OpaquePointer?) -> Int {
    peek(statistics, as: StatisticsHandle.self)?.statistics.activity.count ?? 0
}

@_cdecl("kinfolk_statistics_activity_day") @implementation
public func kinfolk_statistics_activity_day(_ statistics: OpaquePointer?, _ index: Int) -> Int64 {
    day(statistics, \.activity, index)?.day.microseconds ?? 0
}

@_cdecl("kinfolk_statistics_activity_discoveries") @implementation
public func kinfolk_statistics_activity_discoveries(_ statistics: OpaquePointer?, _ index: Int) -> UInt64 {
    UInt64(clamping: day(statistics, \.activity, index)?.discoveries ?? 0)
}

@_cdecl("kinfolk_statistics_activity_refusals") @implementation
public func kinfolk_statistics_activity_refusals(_ statistics: OpaquePointer?, _ index: Int) -> UInt64 {
    UInt64(clamping: day(statistics, \.activity, index)?.refusals ?? 0)
}

@_cdecl("kinfolk_statistics_opted_in_count") @implementation
public func kinfolk_statistics_opted_in_count(_ statistics: OpaquePointer?) -> Int {
    peek(statistics, as: StatisticsHandle.self)?.statistics.optedIn.count ?? 0
}

@_cdecl("kinfolk_statistics_opted_in_day") @implementation
public func kinfolk_statistics_opted_in_day(_ statistics: OpaquePointer?, _ index: Int) -> Int64 {
    day(statistics, \.optedIn, index)?.day.microseconds ?? 0
}

@_cdecl("kinfolk_statistics_opted_in_people") @implementation
public func kinfolk_statistics_opted_in_people(_ statistics: OpaquePointer?, _ index: Int) -> UInt64 {
    UInt64(clamping: day(statistics, \.optedIn, index)?.people ?? 0)
}

@_cdecl("kinfolk_statistics_free") @implementation
public func kinfolk_statistics_free(_ statistics: OpaquePointer?) { freeHandle(statistics, as: StatisticsHandle.self) }
