import Glibc
import HTTPTransport
import Kinfolk
import KinfolkWebServices
import Logging
import NIOCore

/// The configuration of the service. Every value was checked.
struct ServiceConfiguration {
    var store = "kinfolk.db"
    var keyFile: String?
    var requiresLockedMemory = false
    var listen: [ListenAddress] = []
    var metricsListen: ListenAddress?
    var certificate: TLSCertificate?
    var origin = ""
    var proxies = TrustedProxies()
    var mail: MailCommand?
    var wordings: [String: ConsentWordings] = [:]
    var providers: [OpenIDProvider] = []
    var proxySignIn: ProxySignIn?
    var rates = RequestLimits()
    var threads = 8
    var networkThreads = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    var bodyLimit = 6 << 20
    var limits = ServerLimits()
    var logLevel = Logger.Level.info
    var logsJSON = isatty(STDERR_FILENO) == 0

    /// Reads the settings, and throws a failure with all problems that they have.
    static func read(_ options: ServiceOptions) throws(Failure) -> ServiceConfiguration {
        var settings = Settings(options)
        var configuration = ServiceConfiguration()
        configuration.readStore(&settings)
        configuration.readAddresses(&settings)
        configuration.readMail(&settings)
        configuration.readSignIn(&settings)
        configuration.readRates(&settings)
        configuration.readLimits(&settings)
        configuration.readLog(&settings)
        guard settings.problems.isEmpty else { throw Failure(ExitStatus.configuration, settings.problems) }
        return configuration
    }

    private mutating func readStore(_ settings: inout Settings) {
        store = settings.text(.store) ?? store
        keyFile = settings.text(.keyFile)
        requiresLockedMemory = settings.parsed(.requireLockedMemory, "yes or no", Quantities.choice) ?? false
    }

    private mutating func readAddresses(_ settings: inout Settings) {
        listen = settings.all(.listen, ListenAddress.form, ListenAddress.init)
        if settings.all(.listen).isEmpty {
            listen = [ListenAddress(InheritedSockets.count > 0 ? "systemd" : "127.0.0.1:8080")].compactMap(\.self)
        }
        if settings.text(.metricsListen) != "off" {
            metricsListen = settings.parsed(.metricsListen, "an address such as 127.0.0.1:9090, or off") { text in
                ListenAddress(text).flatMap { $0 == .systemd ? nil : $0 }
            }
        }
        checkAddresses(&settings)
        switch (settings.text(.tlsCertificate), settings.text(.tlsKey)) {
        case (nil, nil): break
        case (let chain?, let key?):
            do {
                let certificate = try TLSCertificate(certificate: chain, key: key)
                if !certificate.isValid(at: time(nil)) {
                    settings.add("The certificate \(chain) has expired, or is not valid yet.")
                }
                self.certificate = certificate
            } catch {
                settings.add(
                    "The certificate \(chain) and the key \(key) cannot be used: \(ServiceConfiguration.reason(chain, key))."
                )
            }
        case (_?, nil): settings.add("There is a certificate (tls-certificate), but not its key (tls-key).")
        case (nil, _?): settings.add("There is a key (tls-key), but not its certificate (tls-certificate).")
        }
        let scheme = settings.text(.tlsCertificate) == nil ? "http" : "https"
        let first = listen.first.map { $0 == .systemd ? "localhost" : $0.text } ?? ""
        origin =
            settings.parsed(.origin, "a URL such as https://app.example.com, without a slash at its end", Origin.init)?
            .text
            ?? "\(scheme)://\(first)"
        let ranges = settings.all(.trustedProxy, "an address or a network such as 10.0.0.0/8", AddressRange.init)
        let header = settings.parsed(
            .proxyHeader,
            "x-forwarded-for or forwarded",
            TrustedProxies.Header.init(rawValue:)
        )
        proxies = TrustedProxies(ranges, header: header ?? .forwardedFor)
    }

    /// Finds names that cannot be resolved, and addresses that are used twice.
    private func checkAddresses(_ settings: inout Settings) {
        let all = listen + [metricsListen].compactMap(\.self)
        for (index, address) in all.enumerated() {
            if all[..<index].contains(address), !address.isAnyPort {
                settings.add("The service is to listen on \(address.text) twice.")
            } else if !address.isKnown {
                settings.add("The address \(address.text) cannot be resolved.")
            }
        }
    }

    private mutating func readMail(_ settings: inout Settings) {
        let sender = settings.parsed(.mailFrom, "an e-mail address", MailAddress.init)
        switch settings.text(.mailCommand) {
        case "off": break
        case nil: mail = MailCommand.ofSystem.map { MailCommand($0, sender: sender) }
        case let text?:
            let words = text.split(separator: " ").map(String.init)
            guard let program = words.first, program.first == "/", ChildCommand.isProgram(program) else {
                return settings.add(
                    "The mail command must begin with the absolute path of a program: \"\(text)\" does not."
                )
            }
            mail = MailCommand(words, sender: sender)
        }
    }

    private mutating func readSignIn(_ settings: inout Settings) {
        for path in settings.all(.consent) {
            let file = ConsentFile(path: path.text)
            for problem in file.problems { settings.add(problem) }
            if wordings.updateValue(file.words, forKey: file.container) != nil {
                settings.add("Several files have words for the container \(file.container).")
            }
        }
        for path in settings.all(.openIDProvider) {
            let file = ProviderFile(path: path.text)
            for problem in file.problems { settings.add(problem) }
            if providers.contains(where: { $0.callbackPath == file.provider.callbackPath }) {
                settings.add("Several files describe the OpenID Connect provider \(file.provider.issuer).")
            }
            providers.append(file.provider)
        }
        if !providers.isEmpty, !Fetcher.isInstalled {
            settings.add("OpenID Connect (openid-provider) needs the program curl, which is not installed.")
        }
        let form = "the name of a header of the proxy, such as remote-user"
        let user = settings.parsed(.proxyUserHeader, form, Quantities.header)
        let email = settings.parsed(.proxyEmailHeader, form, Quantities.header)
        proxySignIn = user.map { ProxySignIn(userHeader: $0, emailHeader: email) }
        if user != nil, settings.all(.trustedProxy).isEmpty {
            settings.add("A header names people (proxy-user-header), but there is no proxy to trust (trusted-proxy).")
        }
        if user == nil, email != nil {
            settings.add(
                "There is a header with addresses (proxy-email-header), but none that names people (proxy-user-header)."
            )
        }
    }

    private mutating func readRates(_ settings: inout Settings) {
        let form = "a rate such as 200/s, 30/m or \"20/h 5\""
        rates.network = settings.parsed(.networkRate, form, Quantities.rate) ?? rates.network
        rates.application = settings.parsed(.applicationRate, form, Quantities.rate) ?? rates.application
        rates.person = settings.parsed(.personRate, form, Quantities.rate) ?? rates.person
        rates.waits = settings.parsed(.maxPersonStreams, "a positive number", Quantities.count) ?? rates.waits
        rates.mails = settings.parsed(.mailRate, form, Quantities.rate) ?? rates.mails
        rates.tries = settings.parsed(.codeRate, form, Quantities.rate) ?? rates.tries
    }

    private mutating func readLimits(_ settings: inout Settings) {
        let (count, bytes, seconds) = (
            "a positive number", "a number of bytes such as 65536, 64K or 6M", "a number of seconds"
        )
        let threadCount = "a number from 1 to \(Quantities.mostThreads)"
        threads = settings.parsed(.threads, threadCount, Quantities.threads) ?? threads
        networkThreads = settings.parsed(.networkThreads, threadCount, Quantities.threads) ?? networkThreads
        bodyLimit = settings.parsed(.maxBodyBytes, bytes, Quantities.bytes) ?? bodyLimit
        limits.connections = settings.parsed(.maxConnections, count, Quantities.count) ?? limits.connections
        limits.connectionsPerAddress =
            settings.parsed(.maxConnectionsPerAddress, count, Quantities.count) ?? limits.connectionsPerAddress
        limits.bodyMemory = settings.parsed(.maxBodyMemory, bytes, Quantities.bytes) ?? limits.bodyMemory
        limits.headerBytes =
            settings.parsed(.maxHeaderBytes, "1K or more") { Quantities.bytes($0).flatMap { $0 < 1_024 ? nil : $0 } }
            ?? limits.headerBytes
        if limits.bodyMemory / 4 < bodyLimit {
            settings.add(
                "The memory for bodies (max-body-memory) must be four times the largest body (max-body-bytes): one caller gets a quarter."
            )
        }
        limits.headerTimeout = settings.parsed(.headerTimeout, seconds, Quantities.seconds) ?? limits.headerTimeout
        limits.bodyTimeout = settings.parsed(.bodyTimeout, seconds, Quantities.seconds) ?? limits.bodyTimeout
        limits.minimumRate = settings.parsed(.minBodyRate, bytes, Quantities.bytes) ?? limits.minimumRate
        limits.writeTimeout = settings.parsed(.writeTimeout, seconds, Quantities.seconds) ?? limits.writeTimeout
        limits.idleTimeout = settings.parsed(.idleTimeout, seconds, Quantities.seconds) ?? limits.idleTimeout
        limits.drainTimeout = settings.parsed(.drainTimeout, seconds, Quantities.seconds) ?? limits.drainTimeout
    }

    private mutating func readLog(_ settings: inout Settings) {
        let levels: [String: Logger.Level] = [
            "debug": .debug, "info": .info, "notice": .notice, "warning": .warning, "error": .error,
        ]
        logLevel = settings.parsed(.logLevel, "debug, info, notice, warning or error") { levels[$0] } ?? logLevel
        logsJSON = settings.parsed(.logFormat, "json or text") { ["json": true, "text": false][$0] } ?? logsJSON
    }

    /// Why a certificate and its key cannot be used.
    private static func reason(_ chain: String, _ key: String) -> String {
        for path in [chain, key] where access(path, R_OK) != 0 { return "\(path): \(SystemError.text)" }
        return "they are not PEM, or the key is not that of the certificate"
    }
}
