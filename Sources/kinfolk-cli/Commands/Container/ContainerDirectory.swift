import ArgumentParser
import Kinfolk
import KinfolkJSON

struct ContainerDirectory: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "directory",
        abstract: "Show or change how people are found.",
        discussion: """
            People are found by contact hashes, which the server sees, by private discovery, which never shows a contact to the \
            server, or by both. The command builds a new directory while the container is in use. Run it again to resume \
            after an interruption.

            With fewer prefix bits the server learns less from a private discovery, and sends more; 0 sends the whole directory, \
            and auto chooses by the number of people.
            """
    )

    enum Mode: String, ExpressibleByArgument, CaseIterable {
        case hashed, `private`, both
    }

    @Argument(help: "The container's name.")
    var name: String

    @Option(help: ArgumentHelp("How people can be found.", valueName: "mode"))
    var mode: Mode?

    @Option(help: ArgumentHelp("How many bits of a bucket position a client sends: 0 to 32, or auto.", valueName: "n"))
    var prefixBits: String?

    @Flag(help: "Make a new key for the private directory, and index all people under it.")
    var renewKey = false

    @Flag(help: "Make the next key of the private directory, and show its public key before it is used.")
    var announceKey = false

    @Option(help: ArgumentHelp("End the epochs of the private directory before this one.", valueName: "epoch"))
    var endBefore: UInt32?

    @OptionGroup var environment: EnvironmentOptions
    @OptionGroup var options: StoreOptions

    func validate() throws { _ = try bits() }

    func answer(from service: Service) throws -> Answer {
        let container = try environment.container(name, in: service)
        var bar = ProgressBar("Building")
        func progress(_ done: DirectoryBuild.Progress) throws(KinfolkError) {
            try bar.show(
                share: done.people.share(of: done.total),
                done.people,
                "people",
                orStop:
                    "The directory was stopped when it had \(done.people) of \(done.total) people. Run it again to resume."
            )
        }
        defer { bar.clear() }
        switch mode {
        case .hashed: try container.setDirectoryModes(.hashed, progress: progress)
        case .private: try container.setDirectoryModes(.private, progress: progress)
        case .both: try container.setDirectoryModes([.hashed, .private], progress: progress)
        case nil: break
        }
        if prefixBits != nil { try container.setPrefixBits(bits()) }
        if renewKey { _ = try container.renewPrivateKey(progress: progress) }
        if announceKey { _ = try container.announceNextPrivateKey() }
        if let endBefore { try container.endPrivateEpochs(before: endBefore) }
        bar.clear()
        let epochs = try container.privateEpochs()
        return try answer(
            container.directoryModes(),
            epochs,
            bucketKey: epochs.isEmpty ? nil : Hexadecimal.text(service.bucketPublicKey())
        )
    }

    private func bits() throws -> Int? {
        guard let prefixBits, prefixBits != "auto" else { return nil }
        guard let bits = Int(prefixBits), (0...32).contains(bits) else {
            throw ValidationError("--prefix-bits takes 0 to 32, or auto.")
        }
        return bits
    }

    private func answer(_ modes: DirectoryModes, _ epochs: [PrivateEpoch], bucketKey: String?) -> Answer {
        var table = Table(.number("EPOCH"), .number("ROWS"), .number("BITS"), .fixed("PUBLIC KEY"))
        for epoch in epochs {
            table.add(
                String(epoch.number),
                epoch.isComplete ? String(epoch.rowCount) : epoch.isAnnounced ? "announced" : "building",
                String(epoch.prefixBits),
                Hexadecimal.text(epoch.publicKey)
            )
        }
        let line =
            switch modes {
            case .hashed: "People are found by contact hashes."
            case .private: "People are found by private discovery."
            case [.hashed, .private]: "People are found by contact hashes, and by private discovery."
            default: "Nobody is found: no directory is complete. Give --mode again to resume."
            }
        return Answer(
            [
                "hashed": .boolean(modes.contains(.hashed)),
                "private": .boolean(modes.contains(.private)),
                "bucket_key": bucketKey.map(JSON.string) ?? .null,
                "epochs": .array(
                    epochs.map { epoch in
                        [
                            "epoch": .count(Int(epoch.number)),
                            "complete": .boolean(epoch.isComplete),
                            "announced": .boolean(epoch.isAnnounced),
                            "rows": .count(epoch.rowCount),
                            "prefix_bits": .count(epoch.prefixBits),
                            "public_key": .string(Hexadecimal.text(epoch.publicKey)),
                        ]
                    }
                ),
            ],
            [.line(line)] + (table.isEmpty ? [] : [.table(table)])
                + (bucketKey.map { [.line("The bucket key, the same in all containers: \($0)")] } ?? [])
        )
    }
}
