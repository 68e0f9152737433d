import Kinfolk

/// The mail with a code.
struct CodeMail: Sendable {
    enum Purpose: Sendable {
        case signIn
        case addAddress
        case refuseClaim
    }

    let content: VerificationMail
    /// The name of the application, or of the service.
    let application: String
    let purpose: Purpose

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
            address: content.recipient,
            subject: texts.codeSubject.plain(values),
            paragraphs: [
                intro.plain(values), "    " + PlainText.line(content.code), texts.validity.plain(),
                texts.notYou.plain(),
                texts.pass.plain(), "    " + PlainText.line(content.pass),
            ]
        )
    }
}
