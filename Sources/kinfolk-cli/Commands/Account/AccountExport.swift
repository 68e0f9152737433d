import ArgumentParser
import Kinfolk

struct AccountExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print everything that the store holds about a person, as JSON or as an archive with the files.",
        discussion: ExportOptions.manual
    )

    @Argument(help: AccountReference.help)
    var account: AccountReference

    @OptionGroup var export: ExportOptions
    @OptionGroup var options: StoreOptions

    func run() throws {
        let account = try account.account(in: options.open())
        try export.run(options) { () throws(KinfolkError) in
            try account.export()
        } pieces: { (write) throws(KinfolkError) in
            try account.exportArchive(write: write)
        }
    }
}
