import ArgumentParser
import Kinfolk
import KinfolkFiles
import KinfolkJSON
import KinfolkStorage

struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Make a store and its key.",
        discussion: """
            The key file is next to the store (kinfolk.db and kinfolk.key, mode 0600), unless --key-file names another. Keep a \
            copy of the key apart from the copies of the store. With --passphrase there is no key file: every command then needs \
            --passphrase.
            """
    )

    @OptionGroup var options: StoreOptions

    func validate() throws {
        guard !options.readOnly else { throw ValidationError("--read-only makes no store: leave it out.") }
    }

    private var exists: KinfolkError {
        KinfolkError(
            .conflict,
            "\(options.shownPath) exists already. If it is a store, use it as it is; or name another file with --store."
        )
    }

    func run() throws {
        options.warnOfPassword()
        try StoreFile.validate(options.path)
        guard try StoreFile.isMissingOrEmpty(options.path) else {
            throw exists
        }
        for file in [options.path, options.key.path(forStore: options.path)] {
            if let file, let missing = File.missingFolder(of: file) { throw missing }
        }
        do throws(KinfolkError) {
            let service = try Service.open(
                options.path,
                key: options.key.new(),
                requiresLockedMemory: options.key.requiresLockedMemory
            )
            // Another process may have made it since.
            guard service.hasMadeStore else { throw exists }
            StoreWarnings.memory(of: service)
        } catch {
            throw error.code == .unknownItem ? error.advising("Make it first: init makes files only.") : error
        }
        let key = options.key.path(forStore: options.path)
        try options.show(
            Answer(
                ["store": .string(options.shownPath), "key": .path(key)],
                [
                    .line("Made the store \(options.shownPath)."),
                    .line(
                        key.map { "Its key is \($0.shown): keep a copy in another place." }
                            ?? "Its key is derived from the passphrase: without the passphrase the store is lost."
                    ),
                ]
            )
        )
    }
}
