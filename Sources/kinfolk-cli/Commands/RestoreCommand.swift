import ArgumentParser
import Kinfolk
import KinfolkFiles
import KinfolkJSON
import KinfolkStorage

struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Put a backup in the place of a store.",
        discussion: """
            Stop all programs that use the store first. The command copies the backup, checks the copy as "kinfolk check" does, with \
            the key of the store, and then replaces the store in one step, or makes it if the file is missing. It removes the log \
            of the old store. If the command is interrupted, the file is the complete old store or the complete restored one. \
            Changes made after the backup are lost: people who were erased are back, and so are permits that were spent.

            A backup that was made before a rotation of the keys needs the old key: --key-file.

            Kinfolk keeps a count of changes in the store, and a copy of it next to the key, in a file ending in .counter. It \
            refuses a store with a lower count than the one next to the key: an attacker may have put back an older file. This \
            command gives the restored store a new count. If an older store came back in another way, for example with a restored \
            disk, --accept-older without a file accepts the store as it is.

            A store on a server is restored with the server's own tools, for example pg_restore, or by "kinfolk copy" from a file.
            """
    )

    @Argument(
        help: ArgumentHelp("The backup, made by \"kinfolk backup\".", valueName: "file"),
        completion: .file(extensions: ["db"])
    )
    var file: FilePath?

    @Flag(help: "Accept the store as it is now, although it is an older state of it.")
    var acceptOlder = false

    @Flag(help: "Also replace a store of which the file is not a backup.")
    var replaceOther = false

    @OptionGroup var confirmation: Confirmation
    @OptionGroup var options: StoreOptions

    func validate() throws {
        guard (file != nil) != acceptOlder else {
            throw ValidationError(
                "Give the backup; or --accept-older alone, to accept the older state that is already in the store's place."
            )
        }
        guard !options.readOnly else { throw ValidationError("--read-only changes nothing: leave it out.") }
    }

    func run() throws {
        do {
            if let file { try restore(file) } else { try accept() }
        } catch let error as KinfolkError {
            if error.code == .unknownItem, let file {
                guard File.exists(file) else {
                    throw KinfolkError(.unknownItem, "There is no backup \(file.shown).")
                }
                throw File.missingFolder(of: options.path) ?? error
            }
            guard error.code == .keyMismatch else { throw error }
            let advised = options.key.advised(error, forStore: options.path)
            let older = "A backup that was made before a rotation of the keys needs the old key: --key-file."
            throw file == nil ? advised : advised.advising(older)
        }
    }

    private func restore(_ file: FilePath) throws {
        let store = options.shownPath
        try StoreFile.validate(options.path)
        if try !StoreFile.isServer(options.path) && !StoreFile.isMissingOrEmpty(options.path) {
            try confirmation.ask(
                "Replace \(store) by \(file.shown)? Changes made after that backup are lost."
            )
        }
        let start = ContinuousClock.now
        let check = try replace(by: file)
        let duration = ContinuousClock.now - start
        try options.show(
            Answer(
                [
                    "store": .string(store),
                    "backup": .path(file),
                    "rows": .count(check.rows),
                    "seconds": .double(duration.seconds),
                ],
                [
                    .line(
                        "Restored \(store) from \(file.shown): \(check.rows.counted("row", "rows")), all checked (\(duration.shown))."
                    ),
                    .line(
                        options.key.path(forStore: options.path).map { "It opens with \($0.shown)." }
                            ?? "It opens with the passphrase."
                    ),
                ] + (KeyMove(options)?.blocks ?? [])
            )
        )
    }

    private func replace(by file: FilePath) throws -> StoreCheck {
        let key = try options.key.present()
        var bar = ProgressBar("Copying")
        defer { bar.clear() }
        var step = StoreRestore.Step.copying
        do throws(KinfolkError) {
            return try Service.restore(options.path, from: file, key: key, replaceOther, 5) {
                (progress) throws(KinfolkError) in
                if progress.step != step {
                    step = progress.step
                    bar.restart("Checking")
                }
                try bar.show(
                    share: progress.done.share(of: progress.total),
                    progress.done,
                    progress.step == .copying ? "bytes" : "rows",
                    orStop: "The restore was stopped, and nothing was changed. Run it again to restore the backup."
                )
            }
        } catch {
            throw error.code == .conflict ? error.advising("\"kinfolk restore --replace-other\" replaces it.") : error
        }
    }

    private func accept() throws {
        let wasOlder = try Service.acceptOlder(options.path, key: options.key.present())
        let store = options.shownPath
        try options.show(
            Answer(
                ["store": .string(store), "was_older": .boolean(wasOlder)],
                [
                    .line(
                        wasOlder
                            ? "Accepted \(store) as it is."
                            : "\(store) is not older. Only change tokens expire."
                    )
                ]
            )
        )
    }
}
