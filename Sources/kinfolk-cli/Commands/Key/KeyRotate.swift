import ArgumentParser
import Kinfolk
import KinfolkFiles
import KinfolkJSON
import KinfolkStorage

struct KeyRotate: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Change the store's key, and all keys below it.",
        discussion: """
            The command encrypts everything in the store again under the new keys; other programs can use the store meanwhile. Run \
            it again to resume after an interruption. Until the end the store opens with either key.

            Without an option the key file gets a new key, and the old key is kept in another file in the same folder.

            Private directories get new keys too; the old ones answer until "kinfolk container directory --end-before". If \
            somebody else may have the old key, give --leaked: the old key then never opens the new keys, and everything that \
            depends on it ends at once. The command shows what that breaks.
            """
    )

    @Option(
        help: ArgumentHelp("Take the key from this file, and make it if it does not exist.", valueName: "file"),
        completion: .file(extensions: ["key"])
    )
    var newKeyFile: FilePath?

    @Flag(
        help: ArgumentHelp(
            "Ask for a passphrase, and derive the new key from it.",
            discussion: "If standard input is not a terminal, the passphrase is its next line."
        )
    )
    var newPassphrase = false

    @Flag(name: .customLong("leaked"), help: "Somebody else may have the old key: end everything that depends on it.")
    var isLeaked = false

    @OptionGroup var options: StoreOptions

    func validate() throws {
        guard newKeyFile == nil || !newPassphrase else {
            throw ValidationError("--new-key-file and --new-passphrase exclude each other.")
        }
        guard newKeyFile != nil || newPassphrase || !options.key.isPassphrase else {
            throw ValidationError("The current key is not in a file: give --new-key-file or --new-passphrase.")
        }
    }

    func answer(from service: Service) throws -> Answer {
        let key = try newKey()
        let start = ContinuousClock.now
        var bar = ProgressBar("Rotating")
        defer { bar.clear() }
        let rotation = try service.rotateKeys(to: key, isLeaked: isLeaked) { (progress) throws(KinfolkError) in
            try bar.show(
                share: progress.accounts.share(of: progress.total),
                progress.accounts,
                "done",
                orStop:
                    "The rotation was stopped when \(progress.accounts) of \(progress.total) were done. Run it again to resume: "
                    + "until its end the store opens with \(isLeaked ? "the new key" : "either key")."
            )
        }
        return answer(rotation, after: ContinuousClock.now - start)
    }

    private func newKey() throws(KinfolkError) -> KeySource? {
        if newPassphrase { return try PassphrasePrompt.new() }
        return newKeyFile.map { .file($0) }
    }

    private func answer(_ rotation: KeyRotation, after duration: Duration) -> Answer {
        let present = options.key.path(forStore: options.path)
        let newFile = newPassphrase ? nil : newKeyFile ?? present
        let oldFile = rotation.oldKey.map { asGiven($0, beside: present) } ?? present
        let accounts = rotation.accounts.counted("account", "accounts")
        let blocks: [Answer.Block] = [
            .line("Rotated the keys: \(accounts) encrypted again (\(duration.shown))."),
            .line(
                newFile.map { "The new key is \($0.shown): keep a copy in another place." }
                    ?? "The new key is derived from the new passphrase: without the passphrase the store is lost."
            ),
            .line(
                (oldFile.map { "The old key is \($0.shown)." } ?? "The old key was made from the old passphrase.")
                    + " It opens copies of the store"
            ),
            .line("that were made before, and nothing else: keep it as long as those copies."),
        ]
        return Answer(
            [
                "accounts": .count(rotation.accounts),
                "key_file": .path(newFile),
                "old_key_file": .path(oldFile),
                "private_epochs": .array(
                    rotation.privateEpochs.map { epoch in
                        [
                            "container": .string(epoch.container),
                            "epoch": .count(Int(epoch.number)),
                            "public_key": .string(Hexadecimal.text(epoch.publicKey)),
                        ]
                    }
                ),
                "consequences": .array(KeyRotate.consequences(rotation).map { .string($0.name) }),
                "seconds": .double(duration.seconds),
            ],
            blocks + privateBlocks(rotation) + KeyRotate.consequences(rotation).map { .line($0.text) }
        )
    }

    private func privateBlocks(_ rotation: KeyRotation) -> [Answer.Block] {
        guard !rotation.privateEpochs.isEmpty else { return [] }
        var table = Table(.fixed("CONTAINER"), .number("EPOCH"), .fixed("PUBLIC KEY"))
        for epoch in rotation.privateEpochs {
            table.add(epoch.container, String(epoch.number), Hexadecimal.text(epoch.publicKey))
        }
        return [
            .line("The new keys of private directories, for clients that accept only published keys:"), .table(table),
        ]
    }

    private static func consequences(_ rotation: KeyRotation) -> [(name: String, text: String)] {
        let all: [(KeyRotation.Consequences, String, String)] = [
            (
                .pinnedClients, "pinned_clients",
                "Clients that know only older public keys refuse the private directory until they get the new one."
            ),
            (.paidContacts, "paid_contacts", "Contacts of private discoveries cost permits once more."),
            (
                .syncStates, "sync_states",
                "Older sync states are ignored: their contacts cost permits once more."
            ),
            (.verificationCodes, "verification_codes", "Verification codes that were issued before are refused."),
            (.webSessions, "web_sessions", "Web sessions have ended: people sign in again."),
            (
                .bucketKeyStays, "bucket_key_stays",
                "The bucket key stays: its holder can compute the bucket of an address."
            ),
        ]
        return all.filter { rotation.consequences.contains($0.0) }.map { ($0.1, $0.2) }
    }

    /// The library has the absolute path; the answer shows the path as the user gave it.
    private func asGiven(_ old: FilePath, beside present: FilePath?) -> FilePath {
        present.map { old.named(asIfBeside: $0) } ?? old
    }
}
