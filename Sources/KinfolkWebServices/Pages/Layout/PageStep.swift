/// What a form asks for: its field `step`.
enum PageStep: String, CaseIterable, Sendable {
    /// ``EmailPage``: sends a code to `email`; `keep` is `yes` if the person stays signed in.
    case address
    /// ``CodePage``: checks `code`.
    case code
    /// ``CodePage``: sends another code; `pass` may hold the pass of an earlier mail.
    case anotherCode = "another-code"
    /// ``NewAccountPage``: stores `given` and `family`.
    case names
    /// ``LinkIdentityPage``: links the identity of the flow to the account if `link` is `yes`, and forgets it if not.
    case linkIdentity = "link-identity"
    /// ``ConsentPage``: stores `discoverability`, which is `granted` or `denied`, for the wording whose version is `wording`.
    case consent
    /// ``AccountPage``: ends the session of this browser.
    case signOut = "sign-out"
    /// ``AccountPage``: ends the session `device`.
    case signOutDevice = "sign-out-device"
    /// ``AccountPage`` asks for it, and ``ConfirmPage`` confirms it, with `confirmed` set to `yes`: ends all sessions.
    case signOutEverywhere = "sign-out-everywhere"
    /// ``AccountPage``: sends a code to `email`, a new address or one that is not verified yet.
    case addAddress = "add-address"
    /// ``AccountPage`` asks for it, and ``ConfirmPage`` confirms it: removes `email`.
    case removeAddress = "remove-address"
    /// ``AccountPage`` asks for it, and ``ConfirmPage`` confirms it: sends a code for refusing the claim `claim`.
    case refuseClaim = "refuse-claim"
    /// ``AccountPage``: ends signing in by the identity `identity`.
    case removeIdentity = "remove-identity"
    /// ``AccountPage``: withdraws discoverability in the container `container`.
    case hide
    /// ``AccountPage``: shows the wording of the container `container`, so that the person can decide.
    case askConsent = "ask-consent"
    /// ``ConfirmPage``: erases the account, if `word` is right (``ConfirmPage/isEraseWord(_:)``).
    case erase
    /// ``ExportPage``: sends the file.
    case export
}
