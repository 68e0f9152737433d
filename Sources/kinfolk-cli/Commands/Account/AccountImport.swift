import ArgumentParser
import Kinfolk
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
    @OptionGroup var options: StoreOptions

    func validate() throws { try options.key.validate(besides: file) }

    func answer(from service: Service) throws -> Answer {
        let start = ContinuousClock.now
        let container = try service.existingContainer(container)
        var bar = ProgressBar("Importing")
        defer { bar.clear() }
        let people = try people(from: service, into: container) { (progress) throws(KinfolkError) in
            try bar.show(
                share: progress.share,
                progress.rows,
                "people",
                orStop: "The import was stopped. It made at least \(progress.created.counted("account", "accounts")). "
                    + "Run it again to resume: people who have an account are skipped."
            )
        }
        return PeopleView(people: people, duration: ContinuousClock.now - start).answer
    }

    private func people(
        from service: Service,
        into container: Container,
        progress: (PeopleImport.Progress) throws(KinfolkError) -> Void
    ) throws(KinfolkError) -> PeopleImport {
        do {
            return try service.importPeople(
                fromFile: file.input,
                into: container,
                wording: consent.wording,
                progress: progress
            )
        } catch {
            throw error.code == .unknownItem ? error.advising("It was looked for in \(file.shown).") : error
        }
    }
}
