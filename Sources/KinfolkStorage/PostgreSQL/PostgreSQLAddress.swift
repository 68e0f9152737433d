import KinfolkFiles

/// The address of a database: libpq's (`postgresql://user@host:port/database?…`), with a few parameters of Kinfolk's own.
struct PostgreSQLAddress: Sendable {
    /// The address for libpq, without Kinfolk's own parameters.
    private(set) var uri = ""
    /// The schema of the tables; nil for the server's default.
    private(set) var schema: String?
    /// The maximum number of connections for reading; one more connection writes.
    private(set) var poolSize = 8
    /// How many seconds one statement may take.
    private(set) var statementTimeout = 60.0

    static func isOne(_ path: FilePath) -> Bool { path.hasPrefix("postgresql://") || path.hasPrefix("postgres://") }

    init(_ path: FilePath) throws {
        guard let text = path.text else { throw StorageError(.noAddress, detail: "it is not UTF-8") }
        try self.init(text)
    }

    init(_ text: String) throws {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var foreign: [Substring] = []
        for parameter in parts.dropFirst().first?.split(separator: "&") ?? [] {
            let pair = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = pair.first, let value = pair.dropFirst().first else {
                throw StorageError(
                    .noAddress,
                    detail: "a parameter is name=value, and ? in a password is written as %3F"
                )
            }
            if try !take(name, String(value)) { foreign.append(parameter) }
        }
        try PostgreSQLAddress.refuseLooseSigns(String(parts.first ?? ""))
        uri = String(parts.first ?? "") + (foreign.isEmpty ? "" : "?" + foreign.joined(separator: "&"))
    }

    /// An @ or / in a password that is not written as %40 or %2F would turn a part of the password into a host name, and messages
    /// contain host names.
    private static func refuseLooseSigns(_ text: String) throws {
        let place = text.drop { $0 != "/" }.drop { $0 == "/" }
        let authority = place.prefix { $0 != "/" }
        guard place.filter({ $0 == "@" }).count <= 1, place.contains("@") == authority.contains("@") else {
            throw StorageError(.noAddress, detail: "in a name or a password, @ is written as %40 and / as %2F")
        }
        // Without the @ it would be parsed as a port.
        let hosts = authority.lastIndex(of: "@").map { authority[$0...].dropFirst() } ?? authority
        for host in hosts.split(separator: ",") {
            let name = host.first == "[" ? host.drop { $0 != "]" } : host
            let port = name.drop { $0 != ":" }.dropFirst()
            guard port.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else {
                throw StorageError(.noAddress, detail: "a port is a number, and @ ends a name and a password")
            }
        }
    }

    /// Stores one of Kinfolk's own parameters. False if it is not one of them.
    private mutating func take(_ name: Substring, _ value: String) throws -> Bool {
        switch name {
        case "schema":
            guard PostgreSQLAddress.isName(value) else {
                throw StorageError(.noAddress, detail: "schema is up to 63 lower-case letters, digits and _")
            }
            schema = value
        case "pool_size":
            guard let size = Int(value), (1...1_000).contains(size) else {
                throw StorageError(.noAddress, detail: "pool_size is a number from 1 to 1000")
            }
            poolSize = size
        case "statement_timeout":
            guard let seconds = Double(value), seconds > 0, seconds <= 86_400 else {
                throw StorageError(.noAddress, detail: "statement_timeout is a number of seconds, up to 86400")
            }
            statementTimeout = seconds
        default: return false
        }
        return true
    }

    /// Whether the name needs no quotes, in SQL and elsewhere.
    private static func isName(_ text: String) -> Bool {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard let first = text.utf8.first, text.utf8.count <= 63, !digits.contains(first) else { return false }
        return text.utf8.allSatisfy { letters.contains($0) || digits.contains($0) || $0 == UInt8(ascii: "_") }
    }
}
