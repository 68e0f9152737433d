import ArgumentParser
import Kinfolk

struct SessionExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract:
            "Print everything that the container holds about the person, as JSON or as an archive with the files.",
        discussion: """
            It reveals nothing about the account or other containers, and has no address: an application may give it to the \
            person. 'account export' prints everything about the person in all containers, for the operator.

            \(ExportOptions.manual)
            """
    )

    @OptionGroup var session: SessionOptions
    @OptionGroup var export: ExportOptions
    @OptionGroup var options: StoreOptions

    func run() throws {
        let session = try session.session(in: options.open())
        try export.run(options) { () throws(KinfolkError) in
            try session.export()
        } pieces: { (write) throws(KinfolkError) in
            try session.exportArchive(write: write)
        }
    }
}
