import Foundation
import Testing

@testable import KinfolkStorage

/// The security of the connection to a server.
@Suite struct DestinationTests {
    @Test(arguments: [
        ("", "", false), ("/var/run/postgresql", "", false), ("@kinfolk", "", false), ("localhost", "", false),
        ("LOCALHOST", "", false), ("127.0.0.1", "", false), ("127.9.8.7", "", false), ("::1", "", false),
        ("db.example.com", "127.0.0.1", false), ("db.example.com,localhost", "127.0.0.1,", false),
        ("localhost,/tmp", "", false), ("db.example.com", "", true), ("localhost.example.com", "", true),
        ("128.0.0.1", "", true), ("10.0.0.1", "", true), ("::2", "", true), ("::", "", true), ("0.0.0.0", "", true),
        ("localhost", "10.0.0.1", true), ("localhost,db.example.com", "", true),
        ("/tmp,db.example.com", "", true), ("db.example.com,localhost", "", true),
    ]) func aRemoteServerMustHaveAValidCertificate(_ hosts: String, _ addresses: String, _ needsIt: Bool) {
        func destination(_ mode: String, isGiven: Bool = false) -> PostgreSQLDestination {
            PostgreSQLDestination(hosts: hosts, addresses: addresses, sslMode: mode, isModeGiven: isGiven)
        }
        #expect(destination("prefer").needsVerification == needsIt)
        // From a service file.
        for mode in ["disable", "allow", "require", "verify-ca", "verify-full"] {
            #expect(!destination(mode).needsVerification)
        }
        #expect(!destination("prefer", isGiven: true).needsVerification)
    }

    /// The parameters that libpq gets, if it is installed.
    private func mode(_ address: String) throws -> [String] {
        let library = try LibPQ.functions()
        return PostgreSQLConnection.parameters(for: try PostgreSQLAddress(address), library)
            .filter { $0.0 == "sslmode" }.map(\.1)
    }

    private static let hasLibrary = (try? LibPQ.functions()) != nil
    private static let environmentSaysNothing = getenv("PGSSLMODE") == nil && getenv("PGSERVICE") == nil

    @Test(.enabled(if: hasLibrary && environmentSaysNothing)) func theAddressAndTheServiceFileOverrideTheDefault()
        throws
    {
        #expect(try mode("postgresql://kinfolk@db.example.com/people") == ["verify-full"])
        #expect(try mode("postgresql://kinfolk@db.example.com/people?sslmode=require") == [])
        #expect(try mode("postgresql://kinfolk@db.example.com/people?sslmode=prefer") == [])
        #expect(try mode("postgresql://kinfolk@localhost/people") == [])
        #expect(try mode("postgresql:///people?host=/tmp") == [])
        #expect(try mode("postgresql:///people?host=db.example.com") == ["verify-full"])
        #expect(try mode("postgresql://localhost/people?hostaddr=10.1.2.3") == ["verify-full"])
        #expect(try mode("postgresql://a.example.com,localhost/people") == ["verify-full"])

        let file = FileManager.default.temporaryDirectory.appendingPathComponent("services-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try """
        [plain]
        host=db.example.com
        [lowered]
        host=db.example.com
        sslmode=require
        [here]
        host=/tmp
        """.write(to: file, atomically: true, encoding: .utf8)
        // Nothing else here reads service files.
        setenv("PGSERVICEFILE", file.path, 1)
        defer { unsetenv("PGSERVICEFILE") }
        #expect(try mode("postgresql:///people?service=plain") == ["verify-full"])
        #expect(try mode("postgresql:///people?service=lowered") == [])
        #expect(try mode("postgresql:///people?service=here") == [])
    }

    @Test(.enabled(if: hasLibrary)) func theAddressOverridesTheDefaults() throws {
        let address = try PostgreSQLAddress("postgresql://kinfolk@db.example.com/people?sslmode=require")
        let names = PostgreSQLConnection.parameters(for: address, try LibPQ.functions()).map(\.0)
        #expect(names.last == "client_encoding")
        #expect(names.firstIndex(of: "dbname") == names.count - 2)
    }
}
