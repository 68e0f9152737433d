import ArgumentParser
import Kinfolk
import KinfolkFiles
import KinfolkStorage

struct ContactsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contacts",
        abstract: "Show the content of a contact file. It needs no store and no key.",
        discussion: """
            It reads the same files as "kinfolk discover contacts", and searches for nobody: \(ContactFile.formats)

            It shows the format, the number of entries, the number of contacts (one for each address), and the lines that cannot \
            be used, with the reason. With --hashes it also shows each contact: its contact hash, which is SHA-256 of the \
            canonical address, and its label. A person who gets a hash can test addresses against it.
            """
    )

    @Argument(help: ArgumentHelp("The contact file; - for standard input.", valueName: "file"), completion: .file())
    var file: FilePath

    @Flag(help: "Show each contact too: its hash and its label.")
    var hashes = false

    @Flag(help: "Answer with one JSON document.")
    var json = false

    func run() throws {
        var book = ContactBook()
        let reading = try ContactFile(path: file).read(into: &book)
        try ContactFileView(reading: reading, book: hashes ? book : nil).answer.show(asJSON: json)
    }
}
