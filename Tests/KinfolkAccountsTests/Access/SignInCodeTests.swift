import Kinfolk
import KinfolkAccess
import KinfolkCrypto
import ServiceSupport
import Testing

@Suite struct SignInCodeTests {
    private let store: TestService
    private let ada: Account
    private let token: APIToken
    private let url = "https://app.example.com/signed-in"
    private var container: Container { store.container }
    private var clock: TestClock { store.clock }

    /// RFC 7636, appendix B.
    private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    private static let challenge = Base64.bytes("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", urlSafe: true)

    init() throws {
        store = try TestService()
        ada = try store.account("Ada")
        token = try store.container.createAPIToken(
            named: "web",
            returnURLs: [url, url + "/", "com.example.notes:/callback"]
        ).description
    }

    private func code(isLasting: Bool = false) throws -> String {
        try container.makeSignInCode(
            for: ada,
            apiToken: token,
            isLasting: isLasting,
            challenge: SignInCodeTests.challenge,
            returnURL: url
        )
    }

    private func redeem(
        _ code: String,
        verifier: String? = verifier,
        _ apiToken: APIToken? = nil,
        returnURL: String? = "https://app.example.com/signed-in"
    ) throws -> (webAuthToken: String, webSession: WebSession)? {
        try container.redeemSignInCode(
            code,
            verifier: verifier,
            apiToken: apiToken ?? token,
            returnURL: returnURL
        )
    }

    @Test(arguments: [(false, 1_800.0), (true, 1_209_600.0)])
    func aCodeIsRedeemedForAWebSession(isLasting: Bool, lifetime: Double) throws {
        let code = try code(isLasting: isLasting)
        #expect(code.utf8.count == 43 && Base64.bytes(code, urlSafe: true)?.count == 32)
        #expect(try ada.webSessions() == [])
        let signedInAt = clock.now
        clock.advance(seconds: 59.999_999)
        let (text, web) = try #require(try redeem(code))
        #expect(web.signedInAt == signedInAt && web.isLasting == isLasting)
        #expect(web.expiresAt == clock.now.adding(seconds: lifetime))
        #expect(try store.isValid(text, token))
        #expect(try ada.webSessions() == [web])
        // The code itself is no web auth token.
        let bytes = try #require(Base64.bytes(code, urlSafe: true))
        #expect(try !store.isValid(Base64.text(bytes), token))
    }

    @Test func aCodeIsValidForAMinute() throws {
        let code = try code()
        clock.advance(seconds: 60)
        #expect(try redeem(code) == nil)
        #expect(try ada.webSessions() == [])
    }

    @Test func aSecondRedemptionEndsTheSession() throws {
        let code = try code()
        let text = try #require(try redeem(code)).webAuthToken
        #expect(try redeem(code) == nil)
        #expect(try !store.isValid(text, token))
        #expect(try redeem(code) == nil)
    }

    @Test func aSecondRedemptionEndsTheSessionEvenIfItIsLate() throws {
        let code = try code()
        let text = try #require(try redeem(code)).webAuthToken
        clock.advance(seconds: 400)
        let renewed = try #require(try container.session(webAuthToken: text, apiToken: token)?.renewed)
        let other = try store.reopened().container(container.name)
        #expect(
            try other.redeemSignInCode(
                code,
                verifier: SignInCodeTests.verifier,
                apiToken: token,
                returnURL: url
            ) == nil
        )
        #expect(try !store.isValid(renewed, token))
    }

    @Test func ofManyRedemptionsAtOnceNoneLeavesASessionToTwo() throws {
        let (code, container, token, url) = (try code(), container, token, url)
        let found = try concurrently(8) {
            try container.redeemSignInCode(
                code,
                verifier: SignInCodeTests.verifier,
                apiToken: token,
                returnURL: url
            )?.webAuthToken
        }
        #expect(found.compactMap(\.self).count == 1)
        #expect(try ada.webSessions() == [])
    }

    @Test(
        arguments: [
            nil, "", "x", "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXK", verifier + "\0",
            "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
        ] as [String?]
    ) func aWrongVerifierEndsTheCode(verifier: String?) throws {
        let code = try code()
        #expect(try redeem(code, verifier: verifier) == nil)
        #expect(try redeem(code) == nil)
    }

    @Test func aWrongURLOrTokenEndsTheCode() throws {
        for url in [nil, "", self.url + "/", self.url.uppercased()] as [String?] {
            let code = try code()
            #expect(try redeem(code, returnURL: url) == nil)
            #expect(try redeem(code) == nil)
        }
        let other = try container.createAPIToken(named: "other", returnURLs: [url]).description
        let code = try code()
        #expect(try redeem(code, other) == nil)
        #expect(try redeem(code) == nil)
    }

    @Test func aCodeWithoutAChallengeTakesNoVerifier() throws {
        func code() throws -> String {
            try container.makeSignInCode(
                for: ada,
                apiToken: token,
                isLasting: false,
                challenge: nil,
                returnURL: nil
            )
        }
        #expect(try redeem(code(), verifier: nil, returnURL: nil) != nil)
        #expect(try redeem(code(), returnURL: nil) == nil)
        #expect(try redeem(code(), verifier: nil) == nil)
    }

    @Test func aVerifierHasTheFormOfTheStandard() throws {
        for (verifier, isAccepted) in [
            (String(repeating: "a", count: 42), false), (String(repeating: "a", count: 43), true),
            (String(repeating: "~", count: 128), true), (String(repeating: "a", count: 129), false),
            (String(repeating: "a", count: 42) + "+", false),
        ] {
            let code = try container.makeSignInCode(
                for: ada,
                apiToken: token,
                isLasting: false,
                challenge: SHA256.hash(of: Array(verifier.utf8)),
                returnURL: url
            )
            #expect(try (redeem(code, verifier: verifier) != nil) == isAccepted, "\(verifier)")
        }
    }

    @Test func aMalformedRequestForACodeIsRefused() throws {
        for (challenge, url) in [([1], url), ([], url), (nil, "https://evil.example/"), (nil, "")]
            as [([UInt8]?, String)]
        {
            expect(.invalidArgument) {
                try container.makeSignInCode(
                    for: ada,
                    apiToken: token,
                    isLasting: false,
                    challenge: challenge,
                    returnURL: url
                )
            }
        }
        for wrong in ["", "x", String(repeating: "A", count: 43), String(repeating: "=", count: 43)] {
            #expect(try redeem(wrong) == nil)
        }
    }

    @Test func aCodeEndsWithTheAccountAndTheToken() throws {
        let first = try code()
        try ada.suspend()
        #expect(try redeem(first) == nil)
        try ada.resume()
        #expect(try redeem(first) == nil)
        let second = try code()
        try ada.endWebSessions()
        #expect(try redeem(second) == nil)
        let third = try code()
        try container.deleteAPIToken(named: "web")
        #expect(try redeem(third) == nil)
        let again = try container.createAPIToken(named: "web", returnURLs: [url]).description
        #expect(try redeem(third, again) == nil)
    }

    @Test func aCodeOfALeakedKeyIsNotValid() throws {
        let code = try code()
        _ = try store.service.rotateKeys(isLeaked: true)
        #expect(try redeem(code) == nil)
    }
}
