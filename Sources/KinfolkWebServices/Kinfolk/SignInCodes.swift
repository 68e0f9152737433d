import Kinfolk
import KinfolkJSON

/// `token` and `sign-out`: the beginning and the end of a web session.
enum SignInCodes {
    /// Redeems the code with which a sign-in came back to the application (RFC 6749, section 4.1.3; RFC 7636, section 4.5).
    static func redeem(_ call: Call) throws(WebError) -> JSON {
        guard let token = call.caller.apiToken else { throw refusal }
        let code = try call.members.requiredText("code")
        let verifier = try call.members.text("code_verifier")
        let returnURL = try call.members.text("redirect_uri")
        let redeemed = try calling { () throws(KinfolkError) in
            try call.session.container.redeemSignInCode(code, verifier: verifier, apiToken: token, returnURL: returnURL)
        }
        guard let redeemed else { throw refusal }
        return [
            "ckWebAuthToken": .string(redeemed.webAuthToken),
            "expires": .integer(redeemed.webSession.expiresAt.milliseconds),
        ]
    }

    private static var refusal: WebError { WebError(.authenticationFailed, "The code is not valid.") }

    /// Ends the web session of the caller, or with `everywhere` all of the person in the container.
    static func signOut(_ call: Call) throws(WebError) -> JSON {
        if try call.members.flag("everywhere") == true {
            let account = try OwnAccount.account(call)
            try calling { () throws(KinfolkError) in try call.session.container.endWebSessions(of: account) }
        } else if case .token(_, let web?)? = try? Credentials(call.head) {
            try calling { () throws(KinfolkError) in try call.session.container.endWebSession(webAuthToken: web) }
        }
        return [:]
    }
}
