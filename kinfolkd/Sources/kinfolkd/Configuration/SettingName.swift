/// The names of the settings: `--listen`, `KINFOLK_LISTEN`, and `listen = …` in the file.
enum SettingName: String, CaseIterable {
    case store
    case keyFile = "key-file"
    case requireLockedMemory = "require-locked-memory"
    case listen
    case metricsListen = "metrics-listen"
    case tlsCertificate = "tls-certificate"
    case tlsKey = "tls-key"
    case origin
    case trustedProxy = "trusted-proxy"
    case proxyHeader = "proxy-header"
    case mailCommand = "mail-command"
    case mailFrom = "mail-from"
    case consent
    case openIDProvider = "openid-provider"
    case proxyUserHeader = "proxy-user-header"
    case proxyEmailHeader = "proxy-email-header"
    case networkRate = "network-rate"
    case applicationRate = "application-rate"
    case personRate = "person-rate"
    case maxPersonStreams = "max-person-streams"
    case mailRate = "mail-rate"
    case codeRate = "code-rate"
    case threads
    case networkThreads = "network-threads"
    case maxConnections = "max-connections"
    case maxConnectionsPerAddress = "max-connections-per-address"
    case maxBodyBytes = "max-body-bytes"
    case maxBodyMemory = "max-body-memory"
    case maxHeaderBytes = "max-header-bytes"
    case headerTimeout = "header-timeout"
    case bodyTimeout = "body-timeout"
    case minBodyRate = "min-body-rate"
    case writeTimeout = "write-timeout"
    case idleTimeout = "idle-timeout"
    case drainTimeout = "drain-timeout"
    case logLevel = "log-level"
    case logFormat = "log-format"

    /// The name of the environment variable.
    var variable: String { "KINFOLK_" + String(rawValue.uppercased().map { $0 == "-" ? "_" : $0 }) }

    /// Whether it may have several values. In the environment they are separated by commas.
    var isList: Bool { [.listen, .trustedProxy, .consent, .openIDProvider].contains(self) }
}
