import ArgumentParser
import Kinfolk
import KinfolkFiles
import KinfolkStorage

struct AccountImport: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Make accounts from a CSV file of people.",
        discussion: """
            The first row names the columns given_name, family_name, email and consent; only email is required. Several addresses \
            in one cell are separated by " ::: ". Consent is yes, no or empty. You vouch for the addresses: they count at once.

            A person with an address that an account has already is skipped. So run the same import again after an \
            interruption. A file with a consent column needs --consent-text and --consent-version.
            """
    )

    @Argument(help: ArgumentHelp("The CSV file; - for standard input.", valueName: "file"), completion: .file())
    var file: FilePath

    @Option(help: ArgumentHelp("The container they sign in to, and gave consent for.", valueName: "name"))
    var container: String

    @OptionGroup var consent: ConsentOptions
    @OptionGroup var environment: EnvironmentOptions
    @OptionGroup var options: StoreOptions

    func validate() throws { try options.key.validate(besides: file) }

    func answer(from service: Service) throws -> Answer {
        let start = ContinuousClock.now
        let container = try environment.container(container, in: service)
        let people = try people(from: service, into: container)
        return PeopleView(people: people, duration: ContinuousClock.now - start).answer
    }

    private func people(from service: Service, into container: Container) throws(KinfolkError) -> PeopleImport {
        var bar = ProgressBar("Importing")
        defer { bar.clear() }
        var made = 0
        do {
            let people = try service.importPeople(
                fromFile: file.input,
                into: container,
                wording: consent.wording,
                progress: { (progress) throws(KinfolkError) in
                    try bar.show(share: progress.share, progress.rows, "people", orStop: "The import was stopped.")
                },
                unfinished: { made = $0.created }
            )
            // Ctrl-C came when there was nothing left to stop.
            Interruption.conclude(nil)
            return people
        } catch {
            let done = "It made \(made.counted("account", "accounts"))."
            let advice = "Run it again to resume: people who have an account are skipped."
            if error.code == .cancelled { Interruption.conclude("The import was stopped. \(done) \(advice)") }
            guard made == 0 || error.code == .cancelled else {
                throw error.naming(file).advising("The import was not finished. \(done) \(advice)")
            }
            let needsWording =
                error.code == .invalidArgument && consent.wording == nil && error.reason.contains("wording")
            throw needsWording
                ? error.advising("The options are --consent-text and --consent-version.") : error.naming(file)
        }
    }
}
