import ArgumentParser
import Glibc
import Kinfolk
import KinfolkFiles
import KinfolkStorage

/// The source of the store's key.
struct KeyOptions: ParsableArguments {
    @Option(
        name: .customLong("key-file"),
        help: ArgumentHelp(
            "The file with the store's key.",
            discussion: "Default: $KINFOLK_KEY_FILE, or else the file next to the store: kinfolk.key for kinfolk.db.",
            valueName: "file"
        ),
        completion: .file(extensions: ["key"])
    )
    var givenFile: FilePath?

    @Flag(
        name: .customLong("passphrase"),
        help: ArgumentHelp(
            "Ask for the passphrase from which the key is derived.",
            discussion: "If standard input is not a terminal, the passphrase is its first line."
        )
    )
    var isPassphrase = false

    @Flag(
        name: .customLong("require-locked-memory"),
        help: ArgumentHelp(
            "Fail if the system does not lock the keys in memory.",
            discussion:
                "Unlocked keys could be swapped to a disk. Without this option there is only a warning. \"ulimit -l\" shows the limit."
        )
    )
    var requiresLockedMemory = false

    func validate() throws {
        guard givenFile == nil || !isPassphrase else {
            throw ValidationError("--key-file and --passphrase exclude each other.")
        }
    }

    /// For a command that also reads a file, which may be standard input.
    func validate(besides file: FilePath) throws {
        guard !file.isStandardInput || !isPassphrase || isatty(STDIN_FILENO) == 1 else {
            throw ValidationError("Standard input cannot be both the passphrase and the file: name the file.")
        }
    }

    private var file: KeySource {
        (givenFile ?? Environment.path("KINFOLK_KEY_FILE")).map { .file($0) } ?? .besideStore
    }

    /// The key file, or nil with a passphrase.
    func path(forStore store: FilePath) -> FilePath? { isPassphrase ? nil : file.path(forStore: store) }

    /// The key file that is used without --key-file.
    func usualPath(forStore store: FilePath) -> FilePath? {
        Environment.path("KINFOLK_KEY_FILE") ?? KeySource.besideStore.path(forStore: store)
    }

    /// The key of an existing store.
    func present() throws(KinfolkError) -> KeySource { isPassphrase ? try PassphrasePrompt.present() : file }

    /// The key of a new store.
    func new() throws(KinfolkError) -> KeySource { isPassphrase ? try PassphrasePrompt.new() : file }

    /// The error of a key that does not open the store, with what to do in its reason.
    func advised(_ error: KinfolkError, forStore store: FilePath) -> KinfolkError {
        guard let path = path(forStore: store) else {
            return error.advising("Give the passphrase again, or leave --passphrase out if the key is in a file.")
        }
        if error.reason.contains("chmod 600") { return error.saying("\(error.reason) Run: chmod 600 \(path.shown)") }
        if givenFile == nil, !File.exists(path) {
            return error.saying(
                "There is no key file \(path.shown). If the store was made with a passphrase, give --passphrase. "
                    + "If its key is in another file, bring it back, or name the file with --key-file."
            )
        }
        let old = oldKey(of: store, besides: path).map { " \($0.shown), which is next to it, opens the store." } ?? ""
        return error.advising(
            "It was looked for in \(path.shown): give another file with --key-file, or --passphrase.\(old)"
        )
    }

    /// A key that a rotation kept next to this one, if it opens the store: the store is a backup from before that rotation.
    private func oldKey(of store: FilePath, besides path: FilePath) -> FilePath? {
        guard !StoreFile.isServer(store) else { return nil }
        return (1...9).map { path + ".\($0)" }.first { old in
            File.exists(old) && (try? Service.open(store, key: .file(old), readOnly: true)) != nil
        }
    }
}
