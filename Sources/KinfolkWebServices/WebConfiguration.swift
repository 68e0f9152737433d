import Kinfolk

/// How a ``WebServices`` answers.
public struct WebConfiguration: Sendable {
    /// How many requests work on the store at the same time.
    public var threads = 8
    /// The largest body of a request that is not an upload, in bytes.
    public var bodyLimit = 6 << 20
    /// How many requests are taken from each network, application and person.
    public var limits = RequestLimits()
    /// The address under which browsers reach the service, without a slash at the end: `https://kinfolk.example.com`.
    public var origin = "http://127.0.0.1:8080"
    /// The words with which each container asks whether others may find a person, by the container's name. Nobody is asked in the others.
    public var wordings: [String: ConsentWordings] = [:]
    /// The OpenID Connect providers by which people can sign in.
    public var providers: [OpenIDProvider] = []
    /// The proxy that asks people who they are; nil if there is none.
    public var proxySignIn: ProxySignIn?
    /// Sends a request to a provider, and gives the body of its answer; nil unless the status is 200. It may block.
    public var fetch: (@Sendable (WebFetch) -> [UInt8]?)?
    /// Tells the operator what went wrong, in words that hold nothing about people.
    public var report: (@Sendable (String) -> Void)?
    /// Sends a text to an e-mail address. Nil if the service cannot send mail: then nobody can sign in by mail.
    public var sendMail: (@Sendable (WebMail) -> Bool)?
    /// Whether an ECDSA signature (P-256, SHA-256, DER) of a message is that of a public key (X9.63, 65 bytes).
    public var verifySignature: (@Sendable (_ signature: [UInt8], _ message: [UInt8], _ publicKey: [UInt8]) -> Bool)?

    public init() {}
}
