import ArgumentParser
import Glibc
import HTTPTransport
import Kinfolk
import KinfolkWebServices
import Logging

/// Runs the service until a signal stops it.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve a store.",
        discussion: """
            The store must exist: "kinfolk init" makes one.

            SIGTERM and SIGINT stop the service: it accepts no more connections, and answers every request that it has accepted. A second \
            signal ends it at once. SIGHUP reads the certificate again.

            The service answers /healthz while it lives, and /readyz if its store answers. /metrics, for Prometheus, is only at the \
            address of --metrics-listen.

            \(SettingsFile.manual)
            """
    )

    @OptionGroup var options: ServiceOptions

    func run() throws {
        let configuration = try ServiceConfiguration.read(options)
        try RunningService(configuration).run()
    }
}
