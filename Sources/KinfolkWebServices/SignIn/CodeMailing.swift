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
    /// Whether no other mailing of the same browser was requested before this one.
    let isFirst: Bool
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

    /// Runs in one transaction, because mailings of one browser run at the same time, in several threads and processes. If there is no mail
    /// for a new account, the transaction is rolled back, so that nothing stays of it.
    private func request() throws(KinfolkError) -> VerificationMail? {
        let service = services.service
        let end = service.clock().adding(seconds: Housekeeping.patience)
        do throws(KinfolkError) {
            return try service.write { db in
                let known = try service.owner(of: service.tags(of: email, db), db)?.id
                let isNew = try known == nil && AccountTable.row(newAccount, db) == nil
                // A new account has no address before the first right code.
                let account =
                    isNew
                    ? try service.createAccount(newAccount, name: PersonName(), db)
                    : Account(service: service, id: known ?? newAccount)
                if isNew { _ = try account.addEmail(email, spelling: spelling, verified: false, db) }
                // A later request has a newer code already, which this one would replace.
                if isFirst, try account.expectsCode(from: newAccount.value, db) { return nil }
                let purpose = known == nil ? CodePurpose.addEmail : .signIn
                let (mail, refusal) = try account.requestVerification(of: email, for: purpose, pass: pass, db)
                if mail != nil {
                    try account.expectCode(from: newAccount.value, until: end, db)
                } else if isNew {
                    throw refusal ?? KinfolkError(.requestRateLimited, "The address gets no more mails today.")
                }
                return mail
            }
        } catch {
            guard error.code == .requestRateLimited else { throw error }
            return nil
        }
    }

    /// The account that has the address verified; nil if there is none.
    static func account(of email: EmailAddress, _ service: Service) throws(KinfolkError) -> Account? {
        do throws(KinfolkError) { return try service.account(email: email) } catch  where error.code == .unknownItem {
            return nil
        }
    }
}
