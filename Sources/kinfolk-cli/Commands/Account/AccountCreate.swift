import ArgumentParser
import Kinfolk
import KinfolkJSON

struct AccountCreate: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make an account, and print its ID."
    )

    @OptionGroup var name: NameOptions

    @Option(name: .customLong("email"), help: ArgumentHelp("An e-mail address. May be repeated.", valueName: "address"))
    var emails: [String] = []

    @Flag(help: "Vouch for the addresses: they count at once. An address that another account has is refused.")
    var verified = false

    @Flag(help: "If an account has the address verified already, print its ID and leave it as it is.")
    var ifMissing = false

    @OptionGroup var options: StoreOptions

    func validate() throws {
        guard !ifMissing || (emails.count == 1 && verified) else {
            throw ValidationError("--if-missing needs one --email, and --verified.")
        }
    }

    func answer(from service: Service) throws -> Answer {
        if ifMissing, let email = emails.first {
            let found = try service.findOrCreateAccount(email: email, name: name.applied(to: PersonName()))
            return Answer(
                ["account_id": .text(found.account.id), "created": .boolean(found.isNew)],
                line: found.account.id.description
            )
        }
        let account = try create(in: service)
        return Answer(["account_id": .text(account.id)], line: account.id.description)
    }

    private func create(in service: Service) throws(KinfolkError) -> Account {
        do {
            return try service.createAccount(name: name.applied(to: PersonName()), emails: emails, verified: verified)
        } catch {
            let hasAdvice = error.code == .conflict && emails.count == 1 && verified
            throw hasAdvice ? error.advising("With --if-missing that is no error.") : error
        }
    }
}
