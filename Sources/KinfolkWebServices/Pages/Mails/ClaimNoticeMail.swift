/// The mail that tells the owner of an address that somebody claims it. It goes to all verified addresses of the owner.
struct ClaimNoticeMail: Sendable {
    /// Where the mail goes, in its canonical form.
    let recipient: String
    /// The address that somebody claims.
    let claimed: String
    /// The name of the application, or of the service.
    let application: String
    /// How long the owner can refuse.
    let minutes: Int
    /// The page of the account.
    let accountURL: String

    /// The mail in a language.
    func mail(_ language: PageLanguage) -> WebMail {
        let all = PageTexts[language]
        let texts = all.mail
        let values = ["application": application, "address": claimed, "duration": all.duration(minutes: minutes)]
        return WebMail(
            address: recipient,
            subject: texts.claimSubject.plain(values),
            paragraphs: [
                texts.claim.plain(values), texts.claimWait.plain(values), texts.claimRefuse.plain(),
                "    " + PlainText.line(accountURL, limit: 2_000), texts.claimMailbox.plain(), texts.claimYours.plain(),
            ]
        )
    }
}
