import ArgumentParser
import Kinfolk
import KinfolkFiles
import KinfolkStorage

struct DiscoverContacts: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "contacts",
        abstract: "Find the people in a contact book.",
        discussion: """
            The file is \(ContactFile.formats) Entries that cannot be used are skipped and reported, with line and reason; \
            "kinfolk contacts" shows them without a discovery.

            Each contact that is asked about for the first time costs a permit. With --sync-state later searches for the same \
            contacts are free: the command reads the file, and replaces it by the new sync state.

            With --private the server's half never sees the contacts; it answers through a pipe. After the people, the command \
            shows what each half could see, and how many bytes went each way. The sync state then holds contact hashes in \
            clear: protect it like the address book.
            """
    )

    @Argument(help: ArgumentHelp("The contact book; - for standard input.", valueName: "file"), completion: .file())
    var file: FilePath

    @Option(help: ArgumentHelp("The file that keeps the sync state.", valueName: "file"), completion: .file())
    var syncState: FilePath?

    @Flag(name: .customLong("private"), help: "Never show a contact to the server.")
    var isPrivate = false

    @Option(
        name: .customLong("public-key"),
        help: ArgumentHelp(
            "A public key of the container, in hexadecimal: the server must prove that it uses the key.",
            discussion: "May be given several times. \"kinfolk container directory\" shows the keys.",
            valueName: "hex"
        )
    )
    var publicKeys: [String] = []

    @Option(
        help: ArgumentHelp(
            "The bucket key that the operator publishes, in hexadecimal: the server must prove that it uses the key.",
            valueName: "hex"
        )
    )
    var bucketKey: String?

    @Option(
        help: ArgumentHelp(
            "A file with 64 hexadecimal digits, from which the fillers of requests are derived.",
            discussion:
                "Programs that share it ask for the same buckets, so that the server learns nothing from comparing them.",
            valueName: "file"
        ),
        completion: .file()
    )
    var fillerSecret: FilePath?

    @Flag(name: .customLong("no-names"), help: "Ask for no names, so that the server does not learn who was found.")
    var hidesPeople = false

    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func validate() throws {
        try options.key.validate(besides: file)
        guard isPrivate || (publicKeys.isEmpty && bucketKey == nil && fillerSecret == nil && !hidesPeople) else {
            throw ValidationError("--public-key, --bucket-key, --filler-secret and --no-names belong to --private.")
        }
    }

    func answer(from service: Service) throws -> Answer {
        let start = ContinuousClock.now
        for input in [file.input, fillerSecret] {
            guard let syncState, let input, File.isSame(syncState, input) else { continue }
            throw KinfolkError(.invalidArgument, "\(syncState.shown) is an input, too: name another file.")
        }
        let session = try session.session(in: service)
        var book = ContactBook()
        let reading = try ContactFile(path: file).read(into: &book)
        let known = try knownState()
        // Before any permit is spent: contacts whose sync state cannot be stored would cost permits again.
        let replacement = try newState()
        let (discovery, view) =
            isPrivate
            ? try discoverPrivately(book, known, in: session)
            : (try session.discover(book, syncState: known), nil)
        try replacement?.finish(with: discovery.syncState)
        return ContactsView(
            reading: reading,
            discovery: discovery,
            privately: view,
            contacts: book.count,
            duration: ContinuousClock.now - start
        ).answer
    }

    private func discoverPrivately(
        _ book: ContactBook,
        _ known: [UInt8],
        in session: Session
    ) throws -> (Discovery, PrivateView?) {
        var client = try PrivateDiscoveryClient(
            container: self.session.container,
            publicKeys: publicKeys.map(DiscoverContacts.bytes),
            bucketKey: bucketKey.map(DiscoverContacts.bytes),
            fillerSecret: readFillerSecret(),
            state: known
        )
        client.setContacts(book)
        var conversation = try PrivateConversation(with: session)
        defer { conversation.end() }
        do { try conversation.run(&client) } catch {
            guard error.code == .unknownItem, error.reason.contains("no private directory") else { throw error }
            let container = self.session.container
            throw error.advising("\"kinfolk container directory \(container) --mode both\" makes one.")
        }
        let matches = client.matches
        let identities = try hidesPeople ? matches.map { DiscoveredIdentity($0) } : conversation.name(matches)
        let view = PrivateView(
            exposure: client.exposure,
            contacts: book.count,
            found: matches.count,
            isNamed: !hidesPeople,
            sent: conversation.sent,
            received: conversation.received
        )
        return (Discovery(identities: identities, syncState: client.state), view)
    }

    private func readFillerSecret() throws -> [UInt8]? {
        guard let fillerSecret else { return nil }
        var digits = try File.read(fillerSecret, limit: 1_024)[...]
        while digits.last == UInt8(ascii: "\n") || digits.last == UInt8(ascii: "\r") { digits = digits.dropLast() }
        guard let bytes = Hexadecimal.bytes(digits), bytes.count == 32 else {
            throw KinfolkError(.invalidArgument, "The file of the filler secret does not hold 64 hexadecimal digits.")
        }
        return bytes
    }

    private static func bytes(_ hex: String) throws -> [UInt8] {
        guard let bytes = Hexadecimal.bytes(hex.utf8) else {
            throw ValidationError("A public key is 64 hexadecimal digits.")
        }
        return bytes
    }

    private func newState() throws(KinfolkError) -> FileDraft? {
        guard let syncState else { return nil }
        return try FileDraft(output: syncState)
    }

    /// Empty before the first discovery.
    private func knownState() throws(KinfolkError) -> [UInt8] {
        guard let syncState else { return [] }
        return try StateFile.read(syncState, isPrivate: isPrivate)
    }
}
