import CLibPQ

/// The answer to a prefetched query; its result is nil until the answer arrives.
final class PostgreSQLAnswer {
    /// A query: the name of a prepared statement, and its values.
    struct Question: Hashable {
        let statement: String
        let values: PostgreSQLValues
    }

    var result: OpaquePointer?
    private let library: kinfolk_pg

    init(_ library: kinfolk_pg) { self.library = library }

    deinit { library.PQclear(result) }
}
