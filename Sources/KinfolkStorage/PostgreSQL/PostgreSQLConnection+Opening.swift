import CLibPQ
import Glibc

extension PostgreSQLConnection {
    /// A wrong address is told from a server that does not answer.
    static func validate(_ address: PostgreSQLAddress, _ library: kinfolk_pg) throws {
        let options = library.PQconninfoParse(address.uri, nil)
        guard let options else { throw StorageError(.noAddress, detail: "libpq does not understand it") }
        library.PQconninfoFree(options)
    }

    static func connect(_ address: PostgreSQLAddress, _ library: kinfolk_pg) throws -> OpaquePointer {
        // What the address says comes after the defaults, and counts.
        let parameters = [
            ("connect_timeout", "10"), ("application_name", "kinfolk"), ("target_session_attrs", "read-write"),
            ("tcp_user_timeout", "30000"), ("keepalives_idle", "30"), ("dbname", address.uri),
            ("client_encoding", "UTF8"),
        ]
        let keywords = parameters.map { strdup($0.0) }
        let values = parameters.map { strdup($0.1) }
        defer { for text in keywords + values { free(text) } }
        let handle = (keywords.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { keywords in
            (values.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { values in
                library.PQconnectdbParams(keywords.baseAddress, values.baseAddress, 1)
            }
        }
        guard let handle else { throw StorageError(.unreachable, detail: "no memory") }
        guard Int(library.PQstatus(handle)) == KINFOLK_PG_CONNECTION_OK else {
            defer { library.PQfinish(handle) }
            let message = library.PQerrorMessage(handle).map { String(cString: $0) } ?? ""
            // The first line says what is wrong, the others what one might look at.
            let reason = message.split(separator: "\n").first.map(String.init) ?? "no reason was given"
            throw StorageError(.unreachable, detail: reason)
        }
        return handle
    }
}
