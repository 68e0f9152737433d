import ArgumentParser
import Kinfolk
import KinfolkStorage

struct KeyRotate: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Change the store's key, and all keys below it.",
        discussion: """
            Everything in the store is sealed anew under the new keys, while it is in use: other programs go on. If this is \
            interrupted, run it again, and it goes on where it was; until its end the store opens with either key.

            Without an option the key file gets a new key, and the old one is kept beside it.

            Private directories get new keys too; the old ones answer until "kinfolk container directory --end-before". If \
            somebody else may have the old key, give --leaked: then it opens the new keys at no moment, and what it is good \
            for ends at once. What that breaks is shown.
            """
    )

    @Option(
        help: ArgumentHelp("Take the key of this file, which is made if there is none.", valueName: "file"),
        completion: .file(extensions: ["key"])
    )
    var newKeyFile: FilePath?

    @Flag(
        help: ArgumentHelp(
            "Ask for a passphrase that the new key is made from.",
            discussion: "If standard input is not a terminal, it is the next line there."
        )
    )
    var newPassphrase = false

    @Flag(name: .customLong("leaked"), help: "Somebody else may have the old key: end all that it is good for.")
    var isLeaked = false

    @OptionGroup var options: StoreOptions

    func validate() throws {
        guard newKeyFile == nil || !newPassphrase else {
            throw ValidationError("--new-key-file and --new-passphrase exclude each other.")
        }
        guard newKeyFile != nil || newPassphrase || !options.key.isPassphrase else {
            throw ValidationError("The present key is in no file: give --new-key-file or --new-passphrase.")
        }
    }

    func answer(from service: Service) throws -> Answer {
        let key = try newKey()
        let start = ContinuousClock.now
        var bar = ProgressBar("Rotating")
        defer { bar.clear() }
        Interruption.watch(asJSON: options.json)
        let rotation = try service.rotateKeys(to: key, isLeaked: isLeaked) { (progress) throws(KinfolkError) in
            let share = Double(progress.accounts) / Double(max(progress.total, 1))
            bar.show(share: share, progress.accounts, "done")
            try Interruption.check(
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
            .line("Rotated the keys: \(accounts) sealed anew (\(duration.shown))."),
            .line(
                newFile.map { "The new key is \($0.shown): keep a copy in another place." }
                    ?? "The new key is made from the new passphrase: whoever forgets it loses the store."
            ),
            .line(
                (oldFile.map { "The old key is \($0.shown)." } ?? "The old key was made from the old passphrase.")
                    + " It opens copies of the store"
            ),
            .line("from before, and nothing else: keep it for as long as you keep them."),
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
            .line("The new keys of private directories, for clients that take only published ones:"), .table(table),
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
                "Sync states from before count as none: their contacts cost permits once more."
            ),
            (.verificationCodes, "verification_codes", "Verification codes that were issued before are refused."),
            (
                .bucketKeyStays, "bucket_key_stays",
                "The bucket key stays: whoever has it computes as many bits of an address as clients tell."
            ),
        ]
        return all.filter { rotation.consequences.contains($0.0) }.map { ($0.1, $0.2) }
    }

    /// The library knows the path from the root; people know the one that they gave.
    private func asGiven(_ old: FilePath, beside present: FilePath?) -> FilePath {
        present.map { old.named(asIfBeside: $0) } ?? old
    }
}
