import Kinfolk

/// Mails a code to an address, for whichever account has it.
///
/// It runs after the page was answered, so that neither the page nor its time shows whether an account has the address.
struct CodeMailing: Sendable {
    let services: WebServices
    let email: EmailAddress
    let spelling: String
    /// The ID of the account to make if no account has the address.
    let newAccount: AccountID
    /// The pass of an earlier mail; empty if there is none.
    let pass: String
    let application: String
    let language: PageLanguage

    func run() {
        guard let send = services.configuration.sendMail else { return }
        let mail: VerificationMail?
        do throws(KinfolkError) { mail = try request() } catch {
            return services.configuration.report?("A code could not be made: \(error.code).") ?? ()
        }
        guard let mail else { return }
        let message = CodeMail(
            address: spelling,
            application: application,
            purpose: .signIn,
            code: mail.code,
            pass: mail.pass
        )
        _ = send(message.mail(language))
    }

    private func request() throws(KinfolkError) -> VerificationMail? {
        let service = services.service
        let pass = pass.isEmpty ? nil : pass
        let known = try CodeMailing.account(of: email, service)
        let account: Account
        if let known { account = known } else { account = try newcomer() }
        let end = service.clock().adding(seconds: Housekeeping.patience)
        let purpose = known == nil ? CodePurpose.addEmail : .signIn
        do throws(KinfolkError) {
            if let mail = try account.requestVerification(of: email, for: purpose, pass: pass) {
                try account.expectCode(from: newAccount.value, until: end)
                return mail
            }
        } catch { if error.code != .requestRateLimited { throw error } }
        // Nothing stays of somebody who got no mail.
        if known == nil, try !account.expectsCode(from: newAccount.value) { _ = try account.erase() }
        return nil
    }

    /// The account that has the address verified; nil if there is none.
    static func account(of email: EmailAddress, _ service: Service) throws(KinfolkError) -> Account? {
        do throws(KinfolkError) { return try service.account(email: email) } catch  where error.code == .unknownItem {
            return nil
        }
    }

    /// The account that the person gets with the first right code. It has no address before that.
    private func newcomer() throws(KinfolkError) -> Account {
        let service = services.service
        do throws(KinfolkError) { return try service.account(newAccount) } catch  where error.code == .unknownItem {
            return try service.write { db in
                let account = try service.createAccount(newAccount, name: PersonName(), db)
                _ = try account.addEmail(email, spelling: spelling, verified: false, db)
                return account
            }
        }
    }
}
