import Glibc
import HTTPTransport
import Logging
import NIOCore

/// Runs the transport with answers of every kind, and without a store: `kinfolkd-probe [name=value]...`.
///
/// Prints the port, then a line for each thing that a client cannot see. Ends, and drains, when standard input does.
@main
enum ProbeCommand {
    static func main() throws {
        signal(SIGPIPE, SIG_IGN)
        var values: [String: String] = [:]
        for argument in CommandLine.arguments.dropFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
            if parts.count == 2 { values[parts[0]] = parts[1] }
        }
        let responder = ProbeResponder()
        let server = try HTTPServer(
            [.address(SocketAddress(ipAddress: "127.0.0.1", port: 0))],
            certificate: values["certificate"].map { try TLSCertificate(certificate: $0, key: values["key"] ?? "") },
            responder: responder,
            limits: limits(values),
            proxies: TrustedProxies(
                (values["proxies"] ?? "").split(separator: ",").compactMap { AddressRange(String($0)) },
                header: values["header"].flatMap(TrustedProxies.Header.init) ?? .forwardedFor
            ),
            threads: 2,
            logger: Logger(label: "probe")
        )
        Report.line("port \(server.addresses.first?.port ?? 0)")
        while readLine() != nil {}
        server.stopAccepting()
        responder.endWaits()
        Report.line(server.drain() ? "drained" : "ended")
    }

    private static func limits(_ values: [String: String]) -> ServerLimits {
        var limits = ServerLimits()
        func count(_ name: String, _ limit: inout Int) { limit = values[name].flatMap { Int($0) } ?? limit }
        func milliseconds(_ name: String, _ limit: inout TimeAmount) {
            limit = values[name].flatMap { Int64($0) }.map { .milliseconds($0) } ?? limit
        }
        count("connections", &limits.connections)
        count("connections-per-address", &limits.connectionsPerAddress)
        count("header-bytes", &limits.headerBytes)
        count("body-memory", &limits.bodyMemory)
        count("rate", &limits.minimumRate)
        milliseconds("header-timeout", &limits.headerTimeout)
        milliseconds("idle-timeout", &limits.idleTimeout)
        milliseconds("body-timeout", &limits.bodyTimeout)
        milliseconds("write-timeout", &limits.writeTimeout)
        milliseconds("drain-timeout", &limits.drainTimeout)
        return limits
    }
}
