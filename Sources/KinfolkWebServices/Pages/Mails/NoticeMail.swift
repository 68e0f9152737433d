/// The mail that tells a person of what somebody did to the account. It goes to all verified addresses.
struct NoticeMail: Sendable {
    enum Event: Sendable {
        /// Somebody claims an address, and takes it if the owner does not refuse within some minutes.
        case claim(address: String, minutes: Int)
        /// A person of a provider, as people know it, can sign in from now on.
        case identity(provider: String, person: String)
    }

    /// Where the mail goes, in its canonical form.
    let recipient: String
    /// The name of the application, or of the service.
    let application: String
    /// The page of the account.
    let accountURL: String
    let event: Event

    /// The mail in a language.
    func mail(_ language: PageLanguage) -> WebMail {
        let all = PageTexts[language]
        let texts = all.mail
        var values = ["application": application]
        let url = "    " + PlainText.line(accountURL, limit: 2_000)
        let subject: PageText
        let paragraphs: [String]
        switch event {
        case .claim(let address, let minutes):
            values.merge(["address": address, "duration": all.duration(minutes: minutes)]) { $1 }
            subject = texts.claimSubject
            paragraphs = [
                texts.claim.plain(values), texts.claimWait.plain(values), texts.claimRefuse.plain(), url,
                texts.claimMailbox.plain(), texts.claimYours.plain(),
            ]
        case .identity(let provider, let person):
            values.merge(["provider": provider, "person": person]) { $1 }
            subject = texts.identitySubject
            paragraphs = [
                texts.identity.plain(values), texts.identityRemove.plain(), url, texts.claimMailbox.plain(),
            ]
        }
        return WebMail(address: recipient, subject: subject.plain(values), paragraphs: paragraphs)
    }
}

extension WebServices {
    func notice(of event: NoticeMail.Event, to recipient: String) -> NoticeMail {
        NoticeMail(
            recipient: recipient,
            application: name,
            accountURL: configuration.origin + SignInRequest.accountPath,
            event: event
        )
    }
}
