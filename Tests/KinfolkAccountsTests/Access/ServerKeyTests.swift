import Kinfolk
import KinfolkAccess
import KinfolkCrypto
import KinfolkModel
import ServiceSupport
import Testing

@Suite struct ServerKeyTests {
    private let store: TestService
    private var container: Container { store.container }

    /// As OpenSSL writes it: `openssl ec -in private.pem -pubout`.
    private static let pem = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEYP7UuiVanTHJYet0xjVtaMBJuJI7
        Yfps5mliLmDyn7Z5A/4QCLi8maQa6elWKLxk8vGyDC1+n1F3o8KU1EYimQ==
        -----END PUBLIC KEY-----

        """
    /// The point of the same key: RFC 6979, appendix A.2.5.
    private static let point = Hexadecimal.bytes(
        ("0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
            + "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299").utf8
    )

    init() throws { store = try TestService() }

    @Test func aKeyIsReadFromPEMAndFromItsPoint() throws {
        let point = try #require(ServerKeyTests.point)
        let key = try container.addServerKey(ServerKeyTests.pem, named: "server")
        #expect(key.publicKey == point && key.name == "server" && key.createdAt == store.clock.now)
        #expect(key.id == Hexadecimal.text(SHA256.hash(of: point)))
        #expect(try store.reopened().container(container.name).serverKey(key.id) == key)
        expect(.conflict) { try container.addServerKey(point, named: "another name") }
        try container.removeServerKey(key.id)
        #expect(try container.addServerKey(point, named: "server").id == key.id)
        let crlf = ServerKeyTests.pem.split(separator: "\n").joined(separator: "\r\n")
        let chess = try store.service.createContainer("com.example.chess")
        #expect(try chess.addServerKey(crlf, named: "server").id == key.id)
        #expect(try chess.serverKeys().map(\.publicKey) == [point])
    }

    @Test func anythingElseIsNoKey() throws {
        let pem = ServerKeyTests.pem
        let point = try #require(ServerKeyTests.point)
        for wrong in [
            "", "x" + pem, pem + "x", " " + pem, pem + pem, pem.replacing("PUBLIC", with: "PRIVATE"),
            pem.replacing("MFkw", with: "MFgw"), pem.replacing("mQ==", with: "mQ="),
            pem.replacing("mQ==", with: "mR=="),
            pem.replacing("=\n-----END", with: "=\n\n-----END"), pem.replacing("Yfps", with: "Yf ps"),
            pem.replacing("AEYP7U", with: "AFYP7U"), String(pem.dropLast(20)),
            "-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----", String(repeating: "A", count: 65),
            "-----BEGIN PUBLIC KEY-----\n" + String(repeating: "\n", count: 2_000),
        ] {
            expect(.invalidArgument) { try container.addServerKey(wrong, named: "server") }
        }
        for wrong in [Array(point.dropLast()), point + [0], [2] + point.dropFirst(), [0xff] + Array(pem.utf8)] {
            expect(.invalidArgument) { try container.addServerKey(wrong, named: "server") }
        }
        expect(.invalidArgument) { try container.addServerKey(point, named: "") }
        #expect(try container.serverKeys() == [])
        #expect(try store.service.accounts().isEmpty)
    }

    private func key(_ number: Int, in container: Container? = nil) throws -> ServerKey {
        let point = [4] + SHA256.hash(of: [UInt8(number)]) + SHA256.hash(of: [UInt8(number), 1])
        return try (container ?? self.container).addServerKey(point, named: "server \(number)")
    }

    @Test func aKeyHasAUserOfItsOwn() throws {
        let (first, second) = (try key(1), try key(2))
        #expect(first.account != second.account)
        let account = try store.service.account(first.account)
        #expect(try account.name().givenName == "server 1")
        let session = try container.session(for: account)
        #expect(
            try session.userRecordID() != container.session(for: store.service.account(second.account)).userRecordID()
        )
        #expect(try container.serverKeys() == [first, second])
        expect(.conflict) {
            try container.addServerKey([4] + [UInt8](repeating: 9, count: 64), named: "server 1")
        }
        expect(.unknownItem) { try container.serverKey(String(repeating: "0", count: 64)) }
        for wrong in ["", "server 1", String(first.id.dropLast()), first.id.uppercased()] {
            expect(.invalidArgument) { try container.serverKey(wrong) }
            expect(.invalidArgument) { try container.removeServerKey(wrong) }
        }
    }

    @Test func aContainerHasFewKeys() throws {
        for number in 1...100 { _ = try key(number) }
        expect(.limitExceeded) { try key(101) }
    }

    @Test func aRemovedKeyLeavesItsAccount() throws {
        let key = try key(1)
        try container.removeServerKey(key.id)
        expect(.unknownItem) { try container.serverKey(key.id) }
        expect(.unknownItem) { try container.removeServerKey(key.id) }
        #expect(try store.service.account(key.account).name().givenName == "server 1")
    }

    @Test func erasingTheAccountRemovesTheKey() throws {
        let (gone, kept) = (try key(1), try key(2))
        _ = try store.service.account(gone.account).erase()
        expect(.unknownItem) { try container.serverKey(gone.id) }
        #expect(try container.serverKey(kept.id) == kept)
        #expect(try store.service.check().isSound)
    }

    @Test func deletingTheContainerRemovesTheKey() throws {
        _ = try key(1)
        let chess = try store.service.createContainer("com.example.chess")
        let kept = try key(1, in: chess)
        try store.service.deleteContainer(container.name)
        expect(.unknownItem) { try container.serverKeys() }
        #expect(try chess.serverKeys() == [kept])
        #expect(try store.number("SELECT count(*) FROM server_keys") == 1)
        #expect(try store.service.check().isSound)
    }

    @Test(arguments: [false, true]) func aRotationKeepsKeys(isLeaked: Bool) throws {
        let key = try key(1)
        _ = try store.service.rotateKeys(isLeaked: isLeaked)
        #expect(try container.serverKey(key.id) == key)
    }

    @Test func theKeyIsInTheExportOfItsAccount() throws {
        let key = try key(1)
        let text = try store.service.account(key.account).export()
        #expect(text.contains(key.id) && text.contains("server 1"))
    }
}
