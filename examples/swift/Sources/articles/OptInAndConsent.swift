import Kinfolk

/// A stand-in for the application's own prompt.
func show(_ text: String) -> Bool {
    print("Asked:", text)
    return true
}

func optInAndConsent(_ notes: Container) throws {
    let service = notes.service
    let alan = try service.createAccount(name: PersonName(givenName: "Alan", familyName: "Model"))
    try alan.addEmail("alan@example.com")

    let address = try EmailAddress("alan@example.com")
    let code = try alan.requestVerification(of: address)  // mail it to the address
    try alan.verifyEmail(address, code: code)  // what the person typed

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
