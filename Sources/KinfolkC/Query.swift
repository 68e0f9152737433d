public import CKinfolk
import Kinfolk
import KinfolkThreads

/// A query, which C composes and then runs any number of times.
final class QueryHandle: Handle, @unchecked Sendable {
    struct Content: Sendable {
        let recordType: String
        /// The text of the predicate; empty for all records.
        let predicate: String
        var arguments: [FieldValue] = []
        var sortDescriptors: [QuerySortDescriptor] = []
        var zone: String?
        var desiredKeys: Set<String>?
        var limit = Database.standardPage

        func query() throws(KinfolkError) -> Query {
            let all = predicate.isEmpty && arguments.isEmpty
            return try Query(
                recordType,
                where: all ? .all : QueryPredicate(predicate, arguments: arguments),
                sortedBy: sortDescriptors
            )
        }
    }

    private struct State: Sendable {
        var content: Content
        /// The query of the content; nil if it was not read since the last change.
        var query: Query?
    }

    private let state: Lock<State>

    init(_ content: Content) { state = Lock(State(content: content)) }

    func change(_ body: (inout Content) throws(KinfolkError) -> Void) throws(KinfolkError) {
        try state.withLock { state throws(KinfolkError) in
            var content = state.content
            try body(&content)
            state = State(content: content)
        }
    }

    /// The query, whose predicate is read at the first call.
    func prepared() throws(KinfolkError) -> (query: Query, content: Content) {
        try state.withLock { state throws(KinfolkError) in
            let query = if let known = state.query { known } else { try state.content.query() }
            state.query = query
            return (query, state.content)
        }
    }
}

private func query(_ handle: OpaquePointer?) throws(KinfolkError) -> QueryHandle {
    try object(handle, as: QueryHandle.self)
}

@_cdecl("kinfolk_query_new") @implementation
public func kinfolk_query_new(
    _ record_type: UnsafePointer<CChar>?,
    _ predicate: UnsafePointer<CChar>?,
    _ query: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let query = try output(query)
        let predicate = predicate == nil ? "" : try text(predicate)
        guard predicate.utf8.count <= QueryLimits.text else {
            throw KinfolkError(.limitExceeded, "A predicate has at most \(QueryLimits.text) bytes.")
        }
        let content = QueryHandle.Content(recordType: try text(record_type), predicate: predicate)
        _ = try Query(content.recordType)
        query.pointee = makeHandle(QueryHandle(content))
    }
}

@_cdecl("kinfolk_query_bind") @implementation
public func kinfolk_query_bind(_ handle: OpaquePointer?, _ value: OpaquePointer?) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let query = try query(handle)
        let value = try KinfolkC.value(value)
        try query.change { $0.arguments.append(value) }
    }
}

/// Adds a sort descriptor, unless records cannot be ordered by it.
private func sort(_ handle: OpaquePointer?, _ descriptor: QuerySortDescriptor) throws(KinfolkError) {
    try query(handle).change { content throws(KinfolkError) in
        let descriptors = content.sortDescriptors + [descriptor]
        content.sortDescriptors = try Query(content.recordType, sortedBy: descriptors).sortDescriptors
    }
}

@_cdecl("kinfolk_query_sort") @implementation
public func kinfolk_query_sort(
    _ handle: OpaquePointer?,
    _ field: UnsafePointer<CChar>?,
    _ is_ascending: Bool
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let field = try text(field)
        try sort(handle, is_ascending ? .ascending(field) : .descending(field))
    }
}

@_cdecl("kinfolk_query_sort_by_distance") @implementation
public func kinfolk_query_sort_by_distance(
    _ handle: OpaquePointer?,
    _ field: UnsafePointer<CChar>?,
    _ latitude: Double,
    _ longitude: Double
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let location = try Location(latitude: latitude, longitude: longitude)
        try sort(handle, .distance(text(field), from: location))
    }
}

@_cdecl("kinfolk_query_zone") @implementation
public func kinfolk_query_zone(_ handle: OpaquePointer?, _ zone: UnsafePointer<CChar>?) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let query = try query(handle)
        let zone = zone == nil ? nil : try text(zone)
        if let zone { try ZoneName.validate(zone) }
        try query.change { $0.zone = zone }
    }
}

@_cdecl("kinfolk_query_keys") @implementation
public func kinfolk_query_keys(
    _ handle: OpaquePointer?,
    _ keys: UnsafePointer<UnsafePointer<CChar>?>?,
    _ count: Int
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let query = try query(handle)
        var desired: Set<String> = []
        for key in try array(keys, count) { desired.insert(try text(key)) }
        try query.change { $0.desiredKeys = desired }
    }
}

@_cdecl("kinfolk_query_limit") @implementation
public func kinfolk_query_limit(_ handle: OpaquePointer?, _ limit: Int) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let query = try query(handle)
        guard (0...Database.maximumBatch).contains(limit) else {
            throw KinfolkError(.invalidArgument, "A page has 1 to \(Database.maximumBatch) records.")
        }
        try query.change { $0.limit = limit == 0 ? Database.standardPage : limit }
    }
}

@_cdecl("kinfolk_query_run") @implementation
public func kinfolk_query_run(
    _ handle: OpaquePointer?,
    _ database: OpaquePointer?,
    _ cursor: UnsafePointer<UInt8>?,
    _ cursor_length: Int,
    _ page: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let page = try output(page)
        let (query, content) = try query(handle).prepared()
        let database = try KinfolkC.database(database)
        let cursor = try bytes(cursor, cursor_length)
        let found = try database.query(
            query,
            inZone: content.zone,
            desiredKeys: content.desiredKeys,
            limit: content.limit,
            after: cursor.isEmpty ? nil : QueryCursor(bytes: Array(cursor))
        )
        page.pointee = makeHandle(PageHandle(found))
    }
}

@_cdecl("kinfolk_query_count") @implementation
public func kinfolk_query_count(
    _ handle: OpaquePointer?,
    _ database: OpaquePointer?,
    _ count: UnsafeMutablePointer<Int>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let count = try output(count)
        let (query, content) = try query(handle).prepared()
        count.pointee = try KinfolkC.database(database).count(query, inZone: content.zone)
    }
}

@_cdecl("kinfolk_query_explain") @implementation
public func kinfolk_query_explain(
    _ handle: OpaquePointer?,
    _ database: OpaquePointer?,
    _ explanation: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let explanation = try output(explanation)
        let (query, content) = try query(handle).prepared()
        let found = try KinfolkC.database(database).explain(query, inZone: content.zone, limit: content.limit)
        explanation.pointee = makeHandle(ExplanationHandle(found))
    }
}

@_cdecl("kinfolk_query_free") @implementation
public func kinfolk_query_free(_ query: OpaquePointer?) { freeHandle(query, as: QueryHandle.self) }
