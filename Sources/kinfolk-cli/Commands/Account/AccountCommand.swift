import ArgumentParser

struct AccountCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account",
        abstract: "Make and manage accounts: people, as the operator knows them.",
        discussion: "ACCOUNT is an account ID, or an e-mail address that the account has verified.",
        subcommands: [
            AccountCreate.self, AccountImport.self, AccountList.self, AccountShow.self, AccountRename.self,
            AccountAddEmail.self, AccountRemoveEmail.self, AccountVerify.self, AccountTransferEmail.self,
            AccountEmailDiscoverable.self, AccountSuspend.self, AccountResume.self, AccountLookup.self,
            AccountExport.self, AccountErase.self,
        ]
    )
}
