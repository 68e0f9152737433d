/// The mail that tells a person of a new way to sign in. It goes to all verified addresses of the account.
struct IdentityNoticeMail: Sendable {
    /// Where the mail goes, in its canonical form.
    let recipient: String
    /// The provider, as people know it.
    let provider: String
    /// Whom the provider names.
    let person: String
    /// The name of the service.
    let application: String
    /// The page of the account.
    let accountURL: String

    /// The mail in a language.
    func mail(_ language: PageLanguage) -> WebMail {
        let texts = PageTexts[language].mail
        let values = ["application": application, "provider": provider, "person": person]
        return WebMail(
            address: recipient,
            subject: texts.identitySubject.plain(values),
            paragraphs: [
                texts.identity.plain(values), texts.identityRemove.plain(),
                "    " + PlainText.line(accountURL, limit: 2_000), texts.claimMailbox.plain(),
            ]
        )
    }
}
