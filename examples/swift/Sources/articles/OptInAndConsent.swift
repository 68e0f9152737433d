import Kinfolk

/// A stand-in for the application's own prompt.
func show(_ text: String) -> Bool {
    print("Asked:", text)
    return true
}

/// Stand-ins for the mails and the page of the application.
private enum Post {
    nonisolated(unsafe) static var lastText = ""
}

func send(_ text: String, to recipient: String) { Post.lastText = text }

func typedCode() -> String { String(Post.lastText.dropFirst("Your code: ".count).prefix(9)) }

func notify(_ recipient: String, about address: String) {
    print("Mailed: another account claims \(address). If that is not you, sign in and refuse.")
}

func optInAndConsent(_ notes: Container) throws {
    let service = notes.service
    let alan = try service.createAccount(name: PersonName(givenName: "Alan", familyName: "Model"))
    try alan.addEmail("alan@example.com")

    let address = try EmailAddress("alan@example.com")
    if let mail = try alan.requestVerification(of: address) {
        send("Your code: \(mail.code). If no mail comes the next time, enter this pass: \(mail.pass)", to: mail.recipient)
    }
    // The same page, whether or not a mail was sent.
    switch try alan.verifyEmail(address, code: typedCode()) {
    case .verified: break
    case .claim(let claim) where claim.noticedAt == nil:
        for recipient in claim.notice { notify(recipient, about: claim.address) }
        try service.acknowledgeNotice(of: claim.id)
    case .claim: break  // the owner may refuse until the wait is over
    }

    let session = try notes.session(for: alan)
    let wording = ConsentWording("May people who have your e-mail address find you?", version: "2026-01")
    let answer = try session.requestDiscoverability(wording: wording) { wording in
        show(wording.text) ? .granted : .denied
    }
    print("Alan:", answer)

    let settings = ConsentWording("People who have your e-mail address can find you.", version: "settings-1")
    try session.setDiscoverability(.denied, wording: settings)
    try session.setDiscoverability(.granted, wording: settings)

    try alan.addEmail("office@example.com", verified: true)
    try alan.setEmailDiscoverable(EmailAddress("office@example.com"), false)
}
