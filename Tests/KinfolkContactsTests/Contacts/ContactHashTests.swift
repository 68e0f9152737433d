import Kinfolk
import Testing

@Suite("Contact hash")
struct ContactHashTests {
    private let hex = "7d5f3ee4b57c2e38ec2bd4efb4b4cba5b8ae7a8d1c0d9a1e4f7f0a6b3c2d1e0f"

    @Test func hexadecimalDigitsRoundTrip() throws {
        #expect(ContactHash(hex: hex)?.hex == hex)
        #expect(ContactHash(hex: hex.uppercased())?.hex == hex)
    }

    @Test(arguments: [
        "", "7d", String(repeating: "g", count: 64), String(repeating: "0", count: 63),
        String(repeating: "0", count: 65),
    ])
    func aHashInTextHas64HexadecimalDigits(text: String) {
        #expect(ContactHash(hex: text) == nil)
    }

    @Test func aHashHas32Bytes() throws {
        let bytes = (0..<32).map(UInt8.init)
        let hash = try #require(ContactHash(bytes: bytes))
        #expect(hash.withUnsafeBytes(Array.init) == bytes)
        #expect(hash.hex.hasPrefix("000102"))
        #expect(bytes.withUnsafeBytes { ContactHash(bytes: $0) } == hash)
        #expect(ContactHash(bytes: Array(bytes.dropLast())) == nil)
        #expect(ContactHash(bytes: bytes + [0]) == nil)
        #expect(ContactHash(bytes: []) == nil)
    }

    @Test func hashesThatDifferInOneByteDiffer() throws {
        var bytes = [UInt8](repeating: 7, count: 32)
        let hash = try #require(ContactHash(bytes: bytes))
        for index in bytes.indices {
            bytes[index] = 8
            #expect(ContactHash(bytes: bytes) != hash)
            bytes[index] = 7
        }
        #expect(ContactHash(bytes: bytes) == hash)
    }

    @Test func addressesAreEqualWhenTheirCanonicalFormsAre() throws {
        let one = try EmailAddress(" Ada@BÜCHER.example")
        let other = try EmailAddress("ada@xn--bcher-kva.example")
        #expect(one == other)
        #expect(Set([one, other]).count == 1)
        #expect(one.canonical == "ada@xn--bcher-kva.example")
    }

    @Test func anErrorNeverHoldsTheAddress() {
        let error = #expect(throws: KinfolkError.self) { try EmailAddress("secret person@example.com") }
        #expect(error?.description.contains("secret") == false)
        #expect(error?.description.contains("example.com") == false)
    }
}
