/// The mail with a code.
struct CodeMail: Sendable {
    enum Purpose: Sendable {
        case signIn
        case addAddress
        case refuseClaim
    }

    let address: String
    /// The name of the application, or of the service.
    let application: String
    let purpose: Purpose
    let code: String
    let pass: String

    /// The mail in a language.
    func mail(_ language: PageLanguage) -> WebMail {
        let texts = PageTexts[language].mail
        let values = ["application": application]
        let intro =
            switch purpose {
            case .signIn: texts.codeSignIn
            case .addAddress: texts.codeAddition
            case .refuseClaim: texts.codeRefusal
            }
        return WebMail(
            address: address,
            subject: texts.codeSubject.plain(values),
            paragraphs: [
                intro.plain(values), "    " + PlainText.line(code), texts.validity.plain(), texts.notYou.plain(),
                texts.pass.plain(), "    " + PlainText.line(pass),
            ]
        )
    }
}
