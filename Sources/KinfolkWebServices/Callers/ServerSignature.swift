import Kinfolk
import KinfolkCrypto

/// The signature of a request by a server: ECDSA with P-256 and SHA-256 over the date, the hash of the body and the path
/// (CloudKit Web Services Reference, "Composing Web Service Requests").
struct ServerSignature: Sendable {
    let keyID: String
    private let date: String
    private let signature: [UInt8]
    private let path: String
    private let query: String

    private static let prefix = "x-apple-cloudkit-request-"

    /// Nil if the request has no signature.
    init?(_ head: WebRequest.Head) throws(WebError) {
        guard let keyID = head.header(ServerSignature.prefix + "keyid") else { return nil }
        guard let date = head.header(ServerSignature.prefix + "iso8601date"),
            let signature = head.header(ServerSignature.prefix + "signaturev1").flatMap({ Base64.bytes($0) })
        else { throw ServerSignature.refusal }
        (self.keyID, self.date, self.signature) = (keyID, date, signature)
        (path, query) = (head.path, head.query)
    }

    /// When the request was signed, if it is still valid then.
    func validDate(at now: Timestamp) throws(WebError) -> Timestamp {
        guard let date = RFC3339(date)?.timestamp,
            abs(now.seconds(since: date)) <= SignatureTimes.difference
        else { throw ServerSignature.refusal }
        return date
    }

    /// Until when a request with this date must be remembered, so that it is not accepted twice.
    func end(after date: Timestamp) -> Timestamp { date.adding(seconds: SignatureTimes.lifetime) }

    /// Checks the signature.
    ///
    /// - Parameter isRight: Whether the signature of a message is that of the key.
    /// - Returns: The first number of the signature, which identifies it.
    func check(body: [UInt8], _ isRight: (_ signature: [UInt8], _ message: [UInt8]) -> Bool) throws(WebError) -> [UInt8]
    {
        guard let r = ECDSASignature.r(of: signature) else { throw ServerSignature.refusal }
        // Without a body, clients sign the hash of nothing, or nothing in the place of the hash.
        let hashes = [Base64.text(SHA256.hash(of: body))] + (body.isEmpty ? [""] : [])
        // Some clients sign the query too.
        let paths = query.isEmpty ? [path] : [path + "?" + query, path]
        for hash in hashes {
            for path in paths where isRight(signature, Array("\(date):\(hash):\(path)".utf8)) { return r }
        }
        throw ServerSignature.refusal
    }

    /// The same for every fault, so that it does not tell which keys exist.
    static var refusal: WebError { WebError(.authenticationFailed, "The signature of the request is not valid.") }
}
