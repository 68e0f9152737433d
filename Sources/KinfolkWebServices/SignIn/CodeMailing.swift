import Kinfolk

/// Mails a code to an address, for whichever account has it.
///
/// It runs after the page was answered, so that neither the page nor its time shows whether an account has the address.
struct CodeMailing: Sendable {
    /// How many seconds a browser has to enter the code.
    private static let patience = 3_600.0

    let services: WebServices
    let email: EmailAddress
    /// The ID of the account to make if no account has the address, which also names the browser.
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
        let message = CodeMail(content: mail, application: application, purpose: .signIn)
        _ = send(message.mail(language))
    }

    /// Runs in one transaction, because mailings of one browser run at the same time, in several threads and processes.
    private func request() throws(KinfolkError) -> VerificationMail? {
        let service = services.service
        let end = service.clock().adding(seconds: CodeMailing.patience)
        do throws(KinfolkError) {
            return try service.write { db in
                guard let id = try service.owner(of: service.tags(of: email, db), db)?.id else {
                    return try service.requestPendingSignIn(
                        newAccount,
                        email,
                        pass: pass,
                        isFirst: isFirst,
                        until: end,
                        db
                    )
                }
                let account = Account(service: service, id: id)
                // A later request has a newer code already, which this one would replace.
                if isFirst, try account.expectsCode(from: newAccount.value, db) { return nil }
                let (mail, _) = try account.requestVerification(of: email, for: .signIn, pass: pass, db)
                if mail != nil {
                    try account.expectCode(from: newAccount.value, until: end, db)
                    try service.pretendPendingSignIn(newAccount, until: end, db)
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
