import ArgumentParser

/// The options of the service as they were typed. `SettingName` has the same names for the environment and the file.
struct ServiceOptions: ParsableArguments {
    @Option(
        name: .customLong("config"),
        help: "The file with the configuration. Default: $KINFOLK_CONFIG, or else none.",
        completion: .file()
    )
    var config: String?

    @Option(
        help:
            "The store's file, or the address of a PostgreSQL database. Default: kinfolk.db in the current directory.",
        completion: .file()
    )
    var store: String?

    @Option(
        help: ArgumentHelp("The file with the store's key. Default: the file next to the store.", valueName: "file"),
        completion: .file()
    )
    var keyFile: String?

    @Option(help: ArgumentHelp("Fail if the system does not lock the keys in memory.", valueName: "yes|no"))
    var requireLockedMemory: String?

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Where to listen: 127.0.0.1:8080, [::]:443, or systemd for the sockets that systemd passes.",
            discussion:
                "May be given several times. Default: the sockets of systemd if there are any, or else 127.0.0.1:8080.",
            valueName: "address"
        )
    )
    var listen: [String] = []

    @Option(
        help: ArgumentHelp("Where to serve /metrics, /healthz and /readyz without TLS, or off.", valueName: "address")
    )
    var metricsListen: String?

    @Option(
        help: ArgumentHelp("The certificate chain (PEM). With it, all connections have TLS.", valueName: "file"),
        completion: .file()
    )
    var tlsCertificate: String?

    @Option(help: ArgumentHelp("The private key of the certificate (PEM).", valueName: "file"), completion: .file())
    var tlsKey: String?

    @Option(
        help: ArgumentHelp(
            "The address under which browsers reach the service, such as https://app.example.com.",
            discussion: "Default: the first address that it listens on.",
            valueName: "url"
        )
    )
    var origin: String?

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "An address or a network, such as 10.0.0.0/8, of proxies that report the addresses of clients.",
            discussion: "May be given several times. What others report is ignored.",
            valueName: "network"
        )
    )
    var trustedProxy: [String] = []

    @Option(
        help: ArgumentHelp(
            "The header in which the proxies report it: x-forwarded-for (default) or forwarded.",
            valueName: "name"
        )
    )
    var proxyHeader: String?

    @Option(
        help: ArgumentHelp(
            "The command that sends a mail from standard input, or off.",
            discussion:
                "Words separated by spaces; no shell reads them. Default: /usr/sbin/sendmail -t -i if it exists.",
            valueName: "command"
        )
    )
    var mailCommand: String?

    @Option(help: ArgumentHelp("The sender of the mails. Default: the mail command decides.", valueName: "address"))
    var mailFrom: String?

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "A file with the words with which a container asks whether others may find a person.",
            discussion: "May be given several times. Nobody is asked in other containers. See CONSENT.",
            valueName: "file"
        ),
        completion: .file()
    )
    var consent: [String] = []

    @Option(
        name: .customLong("openid-provider"),
        parsing: .singleValue,
        help: ArgumentHelp(
            "A file that describes an OpenID Connect provider, by which people can sign in.",
            discussion: "May be given several times. See OPENID CONNECT.",
            valueName: "file"
        ),
        completion: .file()
    )
    var openIDProvider: [String] = []

    @Option(
        help: ArgumentHelp(
            "A header in which the trusted proxies name the person who has signed in to them, such as remote-user.",
            discussion: "The proxies must remove it from the requests of their clients.",
            valueName: "name"
        )
    )
    var proxyUserHeader: String?

    @Option(
        help: ArgumentHelp(
            "A header with the address of that person, which counts as verified, such as remote-email.",
            valueName: "name"
        )
    )
    var proxyEmailHeader: String?

    @Option(
        help: ArgumentHelp(
            "The requests of one IPv4 address, or one /64 network of IPv6. Default: 200/s 2000.",
            valueName: "rate"
        )
    )
    var networkRate: String?

    @Option(
        help: ArgumentHelp("The requests with one API token or server key. Default: 50000/s 100000.", valueName: "rate")
    )
    var applicationRate: String?

    @Option(help: ArgumentHelp("The requests of one person in a container. Default: 50/s 500.", valueName: "rate"))
    var personRate: String?

    @Option(
        help: ArgumentHelp(
            "The open event streams and long polls of one person in a container. Default: 100.",
            valueName: "count"
        )
    )
    var maxPersonStreams: String?

    @Option(help: ArgumentHelp("The mails with codes that one network asks for. Default: 20/h 20.", valueName: "rate"))
    var mailRate: String?

    @Option(help: ArgumentHelp("The codes that one network tries. Default: 120/h 60.", valueName: "rate"))
    var codeRate: String?

    @Option(help: ArgumentHelp("The requests that use the store at the same time. Default: 8.", valueName: "count"))
    var threads: String?

    @Option(help: ArgumentHelp("The threads for connections. Default: one for each processor.", valueName: "count"))
    var networkThreads: String?

    @Option(help: ArgumentHelp("The largest number of connections. Default: 10000.", valueName: "count"))
    var maxConnections: String?

    @Option(
        help: ArgumentHelp(
            "The largest number of connections from one address, or one /64 network of IPv6. Default: 256.",
            valueName: "count"
        )
    )
    var maxConnectionsPerAddress: String?

    @Option(help: ArgumentHelp("The largest body of a request that is no upload. Default: 6M.", valueName: "bytes"))
    var maxBodyBytes: String?

    @Option(
        help: ArgumentHelp(
            "The memory for the bodies of all requests and answers together. Default: 256M.",
            valueName: "bytes"
        )
    )
    var maxBodyMemory: String?

    @Option(help: ArgumentHelp("The largest head of a request. Default: 32K.", valueName: "bytes"))
    var maxHeaderBytes: String?

    @Option(help: ArgumentHelp("The time for the headers of a request. Default: 15.", valueName: "seconds"))
    var headerTimeout: String?

    @Option(help: ArgumentHelp("The period in which a body must make progress. Default: 30.", valueName: "seconds"))
    var bodyTimeout: String?

    @Option(
        help: ArgumentHelp("The bytes per second that a body needs in each period. Default: 500.", valueName: "bytes")
    )
    var minBodyRate: String?

    @Option(help: ArgumentHelp("The time for a client to read 64 KiB of an answer. Default: 30.", valueName: "seconds"))
    var writeTimeout: String?

    @Option(
        help: ArgumentHelp(
            "The time after which a connection without requests is closed. Default: 75.",
            valueName: "seconds"
        )
    )
    var idleTimeout: String?

    @Option(
        help: ArgumentHelp(
            "The time that requests have to end when the service stops. Default: 30.",
            valueName: "seconds"
        )
    )
    var drainTimeout: String?

    @Option(
        help: ArgumentHelp(
            "What is logged: debug (also each request), info, notice, warning or error. Default: info.",
            discussion: "No level logs addresses, names, tokens, paths or contents.",
            valueName: "level"
        )
    )
    var logLevel: String?

    @Option(
        help: ArgumentHelp(
            "json (one object a line) or text. Default: json, and text on a terminal.",
            valueName: "format"
        )
    )
    var logFormat: String?

    /// The values that were typed, by name.
    var given: [SettingName: [String]] {
        let all: [(SettingName, [String])] = [
            (.store, [store].compactMap(\.self)), (.keyFile, [keyFile].compactMap(\.self)),
            (.requireLockedMemory, [requireLockedMemory].compactMap(\.self)), (.listen, listen),
            (.metricsListen, [metricsListen].compactMap(\.self)),
            (.tlsCertificate, [tlsCertificate].compactMap(\.self)),
            (.tlsKey, [tlsKey].compactMap(\.self)), (.origin, [origin].compactMap(\.self)),
            (.trustedProxy, trustedProxy),
            (.proxyHeader, [proxyHeader].compactMap(\.self)), (.mailCommand, [mailCommand].compactMap(\.self)),
            (.consent, consent), (.openIDProvider, openIDProvider),
            (.proxyUserHeader, [proxyUserHeader].compactMap(\.self)),
            (.proxyEmailHeader, [proxyEmailHeader].compactMap(\.self)),
            (.networkRate, [networkRate].compactMap(\.self)), (.applicationRate, [applicationRate].compactMap(\.self)),
            (.personRate, [personRate].compactMap(\.self)), (.mailRate, [mailRate].compactMap(\.self)),
            (.maxPersonStreams, [maxPersonStreams].compactMap(\.self)),
            (.codeRate, [codeRate].compactMap(\.self)),
            (.mailFrom, [mailFrom].compactMap(\.self)), (.threads, [threads].compactMap(\.self)),
            (.networkThreads, [networkThreads].compactMap(\.self)),
            (.maxConnections, [maxConnections].compactMap(\.self)),
            (.maxConnectionsPerAddress, [maxConnectionsPerAddress].compactMap(\.self)),
            (.maxBodyBytes, [maxBodyBytes].compactMap(\.self)), (.maxBodyMemory, [maxBodyMemory].compactMap(\.self)),
            (.maxHeaderBytes, [maxHeaderBytes].compactMap(\.self)),
            (.headerTimeout, [headerTimeout].compactMap(\.self)),
            (.bodyTimeout, [bodyTimeout].compactMap(\.self)), (.minBodyRate, [minBodyRate].compactMap(\.self)),
            (.writeTimeout, [writeTimeout].compactMap(\.self)), (.idleTimeout, [idleTimeout].compactMap(\.self)),
            (.drainTimeout, [drainTimeout].compactMap(\.self)), (.logLevel, [logLevel].compactMap(\.self)),
            (.logFormat, [logFormat].compactMap(\.self)),
        ]
        return Dictionary(uniqueKeysWithValues: all.filter { !$0.1.isEmpty })
    }
}
