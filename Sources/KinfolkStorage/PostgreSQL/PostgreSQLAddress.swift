/// The address of a database: libpq's (`postgresql://user@host:port/database?…`), with a few parameters of our own.
struct PostgreSQLAddress: Sendable {
    /// For libpq, without our parameters.
    private(set) var uri = ""
    /// Where the tables are; nil for where the server's settings say.
    private(set) var schema: String?
    /// How many connections read at once, at most; one more writes.
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

    /// An @ or / of a password that is not written as %40 or %2F would make a part of it the name of a host, which messages tell.
    private static func refuseLooseSigns(_ text: String) throws {
        let place = text.drop { $0 != "/" }.drop { $0 == "/" }
        let authority = place.prefix { $0 != "/" }
        guard place.filter({ $0 == "@" }).count <= 1, place.contains("@") == authority.contains("@") else {
            throw StorageError(.noAddress, detail: "in a name or a password, @ is written as %40 and / as %2F")
        }
        // Without the @ it would be a port.
        let hosts = authority.lastIndex(of: "@").map { authority[$0...].dropFirst() } ?? authority
        for host in hosts.split(separator: ",") {
            let name = host.first == "[" ? host.drop { $0 != "]" } : host
            let port = name.drop { $0 != ":" }.dropFirst()
            guard port.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else {
                throw StorageError(.noAddress, detail: "a port is a number, and @ ends a name and a password")
            }
        }
    }

    /// Takes a parameter of ours. False if it is none.
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

    /// Whether it needs no quotes, in SQL and elsewhere.
    private static func isName(_ text: String) -> Bool {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard let first = text.utf8.first, text.utf8.count <= 63, !digits.contains(first) else { return false }
        return text.utf8.allSatisfy { letters.contains($0) || digits.contains($0) || $0 == UInt8(ascii: "_") }
    }
}
