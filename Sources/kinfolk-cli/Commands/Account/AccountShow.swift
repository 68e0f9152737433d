import ArgumentParser
import Kinfolk

struct AccountShow: StoreCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show an account.")

    @Argument(help: AccountReference.help)
    var account: AccountReference

    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        try AccountView(account.account(in: service)).answer
    }
}
