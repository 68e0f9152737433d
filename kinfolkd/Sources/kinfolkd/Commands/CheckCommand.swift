import ArgumentParser
import Glibc
import Kinfolk
import KinfolkWebServices

/// Says what is wrong with the configuration.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Say what is wrong with the configuration.",
        discussion: """
            Reads the same options, environment and file as "kinfolkd serve", opens the store without changing it, and reads the \
            certificate and its key. It listens nowhere. With --mail-to it also sends a mail. Each problem is one line on standard error; the exit status is then 78.
            """
    )

    @OptionGroup var options: ServiceOptions

    @Option(
        help: ArgumentHelp("Send a mail to this address, to see whether the mail command works.", valueName: "address")
    )
    var mailTo: String?

    func run() throws {
        let configuration = try ServiceConfiguration.read(options)
        let service: Service
        do { service = try configuration.openStore(readOnly: true) } catch {
            throw Failure(ExitStatus.configuration, error.messages)
        }
        try requireContainers(of: configuration, service)
        if !RequestSignature.isAvailable {
            StandardError.write(
                "kinfolkd: Server keys cannot be used, because libcrypto.so.3 (OpenSSL 3) is not installed.\n"
            )
        }
        if let mailTo { try sendMail(to: mailTo, configuration.mail) }
        for provider in configuration.providers {
            print("The redirect URL for \(provider.name): \(configuration.origin)\(provider.callbackPath)")
        }
        print("The configuration is valid.")
    }

    /// Whoever is asked for consent uses a container that exists.
    private func requireContainers(of configuration: ServiceConfiguration, _ service: Service) throws {
        let names = try Set(service.containers().map(\.name))
        let missing = configuration.wordings.keys.filter { !names.contains($0) }.sorted()
        guard missing.isEmpty else {
            throw Failure(
                ExitStatus.configuration,
                missing.map { "There is no container \($0), for which there are words (consent)." }
            )
        }
    }

    private func sendMail(to address: String, _ command: MailCommand?) throws {
        guard let command else {
            throw Failure(ExitStatus.configuration, "There is no mail command (mail-command), so no mail was sent.")
        }
        guard MailAddress(address) != nil else {
            throw Failure(ExitStatus.configuration, "\"\(address)\" is not an e-mail address.")
        }
        let text = "This mail shows that kinfolkd can send mails.\n\n✓ UTF-8\n"
        guard command.send(address: address, subject: "Kinfolk: the mail command works", text: text) else {
            throw Failure(ExitStatus.configuration, "The mail command failed, or took too long.")
        }
    }
}
