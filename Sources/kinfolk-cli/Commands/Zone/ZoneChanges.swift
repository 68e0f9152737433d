import ArgumentParser
import Kinfolk
import KinfolkFiles
import KinfolkStorage

struct ZoneChanges: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "changes",
        abstract: "Show what changed in a zone, or which zones changed, since the last time.",
        discussion: """
            With a name it shows the records of this zone that were saved or deleted, and without one which zones were made, \
            changed or deleted. A record that changed several times is shown once, as it is now.

            A server change token says how far a reader has come. With --token-file the command continues at the token in the \
            file, and replaces it when the answer is written. Without a token it shows everything that exists.

            One answer is a page: --json has "more_coming", and ends with the new token in "token". A script that must not lose a \
            page when it is stopped gives --token, and keeps the new token after it has used the page.

            If the token is too old or of another store, the exit status is that of changeTokenExpired: forget what was fetched, \
            and begin without a token. If the zone was deleted, it is that of zoneNotFound.

            EXAMPLE
              kinfolk zone changes Notes --token-file notes.token --json \\
                --container com.example.notes --account ada@example.com
            """
    )

    @Argument(help: ArgumentHelp("The zone's name.", valueName: "zone-name"))
    var name: String?

    @Option(
        help: ArgumentHelp(
            "The file that keeps the token. It is made if it is missing.",
            valueName: "file"
        ),
        completion: .file()
    )
    var tokenFile: FilePath?

    @Option(
        help: ArgumentHelp("The token of an earlier answer, in hexadecimal; empty to begin.", valueName: "hex")
    )
    var token: String?

    @Option(
        help: ArgumentHelp(
            "About how many changes of a zone to show.",
            discussion:
                "Default: \(Database.maximumBatch), which is also the most. What was saved in one batch stays together.",
            valueName: "n"
        )
    )
    var limit: Int?

    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func validate() throws {
        guard tokenFile == nil || token == nil else {
            throw ValidationError("--token-file and --token exclude each other.")
        }
        guard name != nil || limit == nil else { throw ValidationError("--limit needs the name of a zone.") }
        guard (1...Database.maximumBatch).contains(limit ?? 1) else {
            throw ValidationError("--limit is 1 to \(Database.maximumBatch).")
        }
    }

    func run() throws {
        let database = try session.session(in: options.open()).privateDatabase
        let since = try knownToken()
        // Before the answer, so that a file that cannot be written is noticed first.
        let replacement = try tokenFile.map { file throws(KinfolkError) in try FileDraft(output: file) }
        let (answer, next) = try changes(of: database, since: since)
        try options.show(answer)
        // Last, so that the changes are shown again if the answer was not written.
        try replacement?.finish(with: Array("\(TokenText.hexadecimal(next))\n".utf8))
    }

    private func changes(
        of database: Database,
        since token: ServerChangeToken?
    ) throws(KinfolkError) -> (answer: Answer, next: ServerChangeToken) {
        do {
            guard let name else {
                let changes = try database.changes(since: token)
                return (ChangesView(changes).answer, changes.token)
            }
            let changes = try database.changes(inZone: name, since: token, limit: limit ?? Database.maximumBatch)
            return (ChangesView(changes, inZone: name).answer, changes.token)
        } catch {
            guard error.code == .changeTokenExpired, let tokenFile else { throw error }
            throw error.advising("To do so, remove the file \(tokenFile.shown).")
        }
    }

    private func knownToken() throws(KinfolkError) -> ServerChangeToken? {
        if let token { return try TokenText.token(token.utf8, from: "--token") }
        guard let tokenFile else { return nil }
        do {
            return try TokenText.token(File.read(tokenFile, limit: TokenText.maximumLength), from: tokenFile.shown)
        } catch  where error.code == .unknownItem {
            return nil
        }
    }
}
