import ArgumentParser
import Kinfolk

struct AccountExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print everything that the store holds about a person, as JSON."
    )

    @Argument(help: AccountReference.help)
    var account: AccountReference

    @OptionGroup var options: StoreOptions

    func run() throws {
        try Streams.write(account.account(in: options.open()).export(), to: 1)
    }
}
