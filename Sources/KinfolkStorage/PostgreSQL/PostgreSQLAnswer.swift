import CLibPQ

/// The answer to a query that was asked ahead, once it has come.
final class PostgreSQLAnswer {
    /// The query: a prepared statement, by its name, and its values.
    struct Question: Hashable {
        let statement: String
        let values: PostgreSQLValues
    }

    var result: OpaquePointer?
    private let library: kinfolk_pg

    init(_ library: kinfolk_pg) { self.library = library }

    deinit { library.PQclear(result) }
}
