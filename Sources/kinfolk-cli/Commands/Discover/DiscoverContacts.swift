import ArgumentParser
import Kinfolk

struct DiscoverContacts: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "contacts",
        abstract: "Find the people in a contact book.",
        discussion: """
            The file is a vCard export (.vcf), a CSV export of Google Contacts, Outlook or Thunderbird, or a list with an \
            e-mail address or a contact hash a line; which, shows from its content. What cannot be used is skipped and \
            reported by line and reason.

            Each contact that is asked about for the first time costs a permit. With --sync-state asking again is free: the \
            file is read, and replaced by what the service says is paid for.
            """
    )

    @Argument(help: ArgumentHelp("The contact book; - for standard input.", valueName: "file"), completion: .file())
    var file: String

    @Option(help: ArgumentHelp("Where the sync state is kept.", valueName: "file"), completion: .file())
    var syncState: String?

    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    /// A state has 16 bytes a contact, and a person may have asked about many books.
    private static let longestState = 1 << 30

    func validate() throws { try options.key.validate(besides: file) }

    func answer(from service: Service) throws -> Answer {
        let start = ContinuousClock.now
        let session = try session.session(in: service)
        var book = ContactBook()
        let reading = try read(into: &book)
        let known = try knownState()
        // Before any permit is spent, since a state that cannot be kept is paid for again.
        let replacement = try newState()
        let discovery = try session.discover(book, syncState: known)
        try replacement?.finish(with: discovery.syncState)
        return ContactsView(
            reading: reading,
            discovery: discovery,
            contacts: book.count,
            duration: ContinuousClock.now - start
        ).answer
    }

    private func read(into book: inout ContactBook) throws(KinfolkError) -> ContactImport {
        var bar = ProgressBar("Reading")
        defer { bar.clear() }
        return try book.add(contentsOfFile: file == "-" ? "/dev/stdin" : file) { bytesRead, byteCount in
            bar.show(share: byteCount.map { Double(bytesRead) / Double(max($0, 1)) }, bytesRead >> 20, "MB")
        }
    }

    private func newState() throws(KinfolkError) -> FileReplacement? {
        guard let syncState else { return nil }
        return try FileReplacement(syncState)
    }

    /// Nothing before the first time.
    private func knownState() throws(KinfolkError) -> [UInt8] {
        guard let syncState else { return [] }
        do {
            return try File.read(syncState, limit: DiscoverContacts.longestState)
        } catch  where error.code == .unknownItem {
            return []
        }
    }
}
