import ArgumentParser
import Kinfolk

struct DocumentShow: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a document with all its versions.",
        discussion: """
            The first version is the current one. Conflicts follow, the oldest first, and then older versions, the newest first. The \
            first digits of an ID are shown, which are enough to name the version; --json has all of them.
            """
    )

    @OptionGroup var document: DocumentOptions
    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        DocumentView(try document.document(in: session.session(in: service).documents)).answer
    }
}
