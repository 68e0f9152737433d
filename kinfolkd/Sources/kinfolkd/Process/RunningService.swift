import Glibc
import HTTPTransport
import Kinfolk
import KinfolkWebServices
import Logging
import NIOCore

/// The service from its start to its end.
struct RunningService {
    private let configuration: ServiceConfiguration
    private let writer: LogWriter
    private let logger: Logger
    private let systemd = NotifySocket()

    init(_ configuration: ServiceConfiguration) {
        // Before the first thread, which inherits it.
        Signals.block()
        self.configuration = configuration
        writer = LogWriter()
        let handler = LineLogHandler(writer, level: configuration.logLevel, isJSON: configuration.logsJSON)
        logger = Logger(label: "kinfolkd") { _ in handler }
    }

    /// Returns when a signal has stopped the service.
    func run() throws(Failure) {
        let limits = limits(files: ProcessSetup.raiseFileLimit())
        let service = try configuration.openStore()
        if !service.isKeyMemoryLocked {
            logger.warning("The system does not lock the keys in memory: raise the limit RLIMIT_MEMLOCK.")
        }
        let services = WebServices(service, webConfiguration)
        let probe = StoreProbe(service)
        let server = try server(HealthResponder(probe, next: services), limits)
        let metrics = try metricsServer(server, probe)
        logger.notice("The service has started.", metadata: ["listen": "\(RunningService.list(server))"])
        if configuration.proxies.isEmpty, configuration.listen.contains(where: \.isLoopback) {
            logger.notice(
                "No proxy is trusted (trusted-proxy). Limits by network would not hold for the clients of one on this machine."
            )
        }
        systemd?.send("READY=1")
        wait(server)
        systemd?.send("STOPPING=1")
        logger.notice("The service stops, and answers the requests that it has accepted.")
        Thread.start { RunningService.endOnSignal() }
        server.stopAccepting()
        services.endWaits()
        let isDrained = server.drain()
        metrics?.stopAccepting()
        service.close()
        logger.notice(
            isDrained ? "The service has stopped." : "The service has stopped. Requests that took too long were ended."
        )
        writer.finish()
    }

    private var webConfiguration: WebConfiguration {
        var web = WebConfiguration()
        web.threads = configuration.threads
        web.bodyLimit = configuration.bodyLimit
        web.origin = configuration.origin
        web.limits = configuration.rates
        web.wordings = configuration.wordings
        web.providers = configuration.providers
        web.proxySignIn = configuration.proxySignIn
        web.report = { [logger] in logger.error("\($0)") }
        web.fetch = { [logger] in
            let body = Fetcher.body(of: $0)
            if body == nil { logger.warning("An OpenID Connect provider did not answer as expected.") }
            return body
        }
        if let mail = configuration.mail {
            web.sendMail = { [logger] in
                let isSent = mail.send(address: $0.address, subject: $0.subject, text: $0.text)
                if !isSent { logger.error("A mail could not be sent: the mail command failed, or took too long.") }
                return isSent
            }
        }
        web.verifySignature = RequestSignature.isValid
        return web
    }

    /// A connection needs a file, and so does the store.
    private func limits(files: Int) -> ServerLimits {
        var limits = configuration.limits
        let possible = max(16, files - 256)
        if limits.connections > possible {
            logger.warning(
                "The system allows fewer connections than configured.",
                metadata: ["connections": "\(possible)"]
            )
            limits.connections = possible
        }
        return limits
    }

    private func server(_ responder: any Responder, _ limits: ServerLimits) throws(Failure) -> HTTPServer {
        var listeners: [Listener] = []
        for address in configuration.listen { listeners += try address.listeners() }
        do {
            return try HTTPServer(
                listeners,
                certificate: configuration.certificate,
                responder: responder,
                limits: limits,
                proxies: configuration.proxies,
                threads: configuration.networkThreads,
                logger: logger
            )
        } catch {
            throw RunningService.cannotListen(configuration.listen.map(\.text).joined(separator: ", "), error)
        }
    }

    private func metricsServer(_ server: HTTPServer, _ probe: StoreProbe) throws(Failure) -> HTTPServer? {
        guard let address = configuration.metricsListen else { return nil }
        let listeners = try address.listeners()
        var limits = ServerLimits()
        limits.connections = 64
        limits.connectionsPerAddress = 64
        let responder = HealthResponder(probe, next: MetricsResponder(server))
        do { return try HTTPServer(listeners, responder: responder, limits: limits, threads: 1, logger: logger) } catch
        {
            throw RunningService.cannotListen(address.text, error)
        }
    }

    /// Deals with signals, and with the watchdog of systemd, until the service is to stop.
    private func wait(_ server: HTTPServer) {
        let period = systemd == nil ? nil : NotifySocket.watchdog.map { max(1_000, $0 / 2) }
        while true {
            switch Signals.next(period) {
            case SIGHUP: reload()
            case nil: if server.responds(within: .seconds(1)) { systemd?.send("WATCHDOG=1") }
            default: return
            }
        }
    }

    private func reload() {
        guard let certificate = configuration.certificate else { return }
        do {
            try certificate.reload()
            logger.notice("The certificate was read again.")
        } catch {
            logger.error("The certificate cannot be read again: the old one stays.")
        }
    }

    /// A second signal does not wait for requests.
    private static func endOnSignal() {
        while Signals.next(nil) == SIGHUP {}
        _exit(1)
    }

    private static func cannotListen(_ address: String, _ error: any Error) -> Failure {
        let reason = (error as? IOError).map { SystemError.text($0.errnoCode) } ?? "\(error)"
        return Failure(ExitStatus.system, "The service cannot listen on \(address): \(reason).")
    }

    private static func list(_ server: HTTPServer) -> String {
        server.addresses.map { address in
            guard let host = address.ipAddress, let port = address.port else { return "a socket" }
            return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        }
        .joined(separator: ", ")
    }
}
