import NIOConcurrencyHelpers
import NIOSSL

/// The certificate of a server, which can be replaced while it runs.
public final class TLSCertificate: Sendable {
    private let certificate: String
    private let key: String
    private let current: NIOLockedValueBox<NIOSSLContext>

    /// Reads a chain of certificates and a private key, both as PEM.
    public init(certificate: String, key: String) throws {
        self.certificate = certificate
        self.key = key
        current = try NIOLockedValueBox(TLSCertificate.context(certificate, key))
    }

    /// Reads both files again, for new connections. If that fails, the old certificate stays.
    public func reload() throws {
        let new = try TLSCertificate.context(certificate, key)
        current.withLockedValue { $0 = new }
    }

    /// Whether all certificates of the chain are valid at a time, in seconds since 1970.
    public func isValid(at time: Int) -> Bool {
        guard let chain = try? NIOSSLCertificate.fromPEMFile(certificate) else { return false }
        return chain.allSatisfy { $0.notValidBefore <= time && time <= $0.notValidAfter }
    }

    var context: NIOSSLContext { current.withLockedValue { $0 } }

    private static func context(_ certificate: String, _ key: String) throws -> NIOSSLContext {
        let chain = try NIOSSLCertificate.fromPEMFile(certificate)
        let privateKey = try NIOSSLPrivateKey(file: key, format: .pem)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(privateKey)
        )
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["h2", "http/1.1"]
        return try NIOSSLContext(configuration: configuration)
    }
}
