import CLibPQ
import Glibc

/// Where libpq would connect to, and how securely, from all its sources: the address, the environment and a service file.
struct PostgreSQLDestination {
    /// As libpq lists them, separated by commas: names, addresses, and folders of Unix sockets.
    private(set) var hosts = ""
    /// Addresses to use instead of looking up the names, where given.
    private(set) var addresses = ""
    private(set) var sslMode = ""
    /// Whether the address itself or the environment sets `sslmode`.
    private(set) var isModeGiven = false

    init(hosts: String, addresses: String, sslMode: String, isModeGiven: Bool) {
        self.hosts = hosts
        self.addresses = addresses
        self.sslMode = sslMode
        self.isModeGiven = isModeGiven
    }

    init(of address: PostgreSQLAddress, _ library: kinfolk_pg) {
        // A connection attempt that fails before it starts has resolved all parameters and contacted no server.
        let parameters = [("dbname", address.uri), ("target_session_attrs", "none of them")]
        let handle = PostgreSQLConnection.with(parameters) { library.PQconnectStartParams($0, $1, 1) }
        defer { if let handle { library.PQfinish(handle) } }
        let all = PostgreSQLDestination.options(library.PQconninfo(handle), library)
        hosts = all["host"] ?? ""
        addresses = all["hostaddr"] ?? ""
        sslMode = all["sslmode"] ?? ""
        let own = PostgreSQLDestination.options(library.PQconninfoParse(address.uri, nil), library)
        isModeGiven = own["sslmode"] != nil || PostgreSQLDestination.environmentHasMode
    }

    /// Whether the server must prove its identity by its certificate.
    ///
    /// This is required unless the server is on this machine, or the address, `PGSSLMODE` or a service file sets another mode.
    /// The mode `prefer` in a service file cannot be distinguished from libpq's default.
    var needsVerification: Bool { !isModeGiven && sslMode == "prefer" && !isOnThisMachine }

    private var isOnThisMachine: Bool {
        let names = PostgreSQLDestination.list(hosts)
        let places = PostgreSQLDestination.list(addresses)
        return (0..<max(names.count, places.count, 1)).allSatisfy { index in
            let place = index < places.count ? places[index] : ""
            return PostgreSQLDestination.isLocal(place.isEmpty ? (index < names.count ? names[index] : "") : place)
        }
    }

    private static func list(_ text: String) -> [Substring] {
        text.isEmpty ? [] : text.split(separator: ",", omittingEmptySubsequences: false)
    }

    /// Whether it is a Unix socket (also if it is empty) or a loopback address.
    private static func isLocal(_ host: Substring) -> Bool {
        if host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") { return true }
        if host.lowercased() == "localhost" { return true }
        var four = in_addr()
        if inet_pton(AF_INET, String(host), &four) == 1 { return UInt32(bigEndian: four.s_addr) >> 24 == 127 }
        var six = in6_addr()
        guard inet_pton(AF_INET6, String(host), &six) == 1 else { return false }
        return withUnsafeBytes(of: six) { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 }
    }

    private static var environmentHasMode: Bool { getenv("PGSSLMODE").map { $0.pointee != 0 } ?? false }

    /// The options that have a value.
    private static func options(
        _ options: UnsafeMutablePointer<kinfolk_pg_option>?,
        _ library: kinfolk_pg
    ) -> [String: String] {
        guard let options else { return [:] }
        defer { library.PQconninfoFree(options) }
        var values: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.value { values[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        return values
    }
}
