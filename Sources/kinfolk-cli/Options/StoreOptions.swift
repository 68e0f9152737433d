import ArgumentParser
import Kinfolk
import KinfolkFiles
import KinfolkStorage

/// The store that a command works on, its key, and the form of the answer.
struct StoreOptions: ParsableArguments {
    @Option(
        name: .customLong("store"),
        help: ArgumentHelp(
            "The store's file, or the address of a PostgreSQL database.",
            discussion: """
                Default: $KINFOLK_STORE, or else kinfolk.db in the current directory. All users of the machine can read a command \
                line: put the password of a database in the file that $PGPASSFILE names, or in a service file.
                """,
            valueName: "store"
        ),
        completion: .file(extensions: ["db"])
    )
    var givenPath: FilePath?

    @OptionGroup var key: KeyOptions

    @Flag(
        help: ArgumentHelp(
            "Change nothing: no byte of the store, its folder or its key.",
            discussion: "The store may be on read-only media. Commands that would write fail."
        )
    )
    var readOnly = false

    @Flag(help: "Answer with one JSON document.")
    var json = false

    var path: FilePath { givenPath ?? Environment.path("KINFOLK_STORE") ?? FilePath("kinfolk.db") }

    /// The path as it may be shown: without the password of an address.
    var shownPath: String { StoreFile.shown(path) }

    /// Opens the store, which must exist.
    func open() throws(KinfolkError) -> Service {
        warnOfPassword()
        return try StoreOptions.open(path, key, readOnly: readOnly, otherwise: "with --store or $KINFOLK_STORE")
    }

    /// Warns about a password on the command line, where others can read it.
    func warnOfPassword() { if let givenPath { StoreWarnings.password(in: givenPath) } }

    /// Opens a store, which must exist.
    ///
    /// - Parameter otherwise: How to name another store, for the advice in an error.
    static func open(
        _ path: FilePath,
        _ key: KeyOptions,
        readOnly: Bool = false,
        otherwise: String
    ) throws(KinfolkError) -> Service {
        let shownPath = StoreFile.shown(path)
        do throws(KinfolkError) {
            try StoreFile.validate(path)
            guard try !StoreFile.isMissingOrEmpty(path, isReadOnly: readOnly) else {
                throw File.missingFolder(of: path)
                    ?? KinfolkError(
                        .unknownItem,
                        "There is no store at \(shownPath): run \"kinfolk init\" to make one."
                    )
            }
            let service = try Service.open(
                path,
                key: key.present(),
                existingOnly: true,
                readOnly: readOnly,
                requiresLockedMemory: key.requiresLockedMemory
            )
            StoreWarnings.memory(of: service)
            return service
        } catch {
            throw OpeningFailure(path, key, isReadOnly: readOnly, otherwise: otherwise).advised(error)
        }
    }
}
