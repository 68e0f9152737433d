import KinfolkCrypto
import ServiceSupport
import TestSupport
import Testing

@testable import Kinfolk

/// Forged states: the checksum of a state protects against damage, not against forgery.
@Suite struct ClientStateTests {
    private static let name = "com.example.notes"
    private static let secret = 4 + 1 + name.utf8.count
    private static let fillers = secret + 32 + 32 + 4 + 32
    private static let contacts = fillers + 8 + 4
    private static let epoch = 32 + 4
    private static let contactLength = 32 + 4 + 4 + 32 + 64 + 1 + 16

    /// The state of a client that has evaluated a batch, but has not requested buckets.
    private let evaluated: [UInt8]

    init() throws {
        var state = ClientState(container: ClientStateTests.name)
        state.take(
            epoch: 1,
            publicKey: [UInt8](repeating: 1, count: 32),
            bucketKey: [UInt8](repeating: 2, count: 32)
        )
        let hashes = (0..<64).map { _ in state.makeFiller() }
        var batch = ClientState.Batch(count: 64)
        batch.outputs = SecureRandom.bytes(64 * ClientState.outputLength)
        batch.elements = SecureRandom.bytes(64 * ClientState.elementLength)
        state.take(batch, (0..<64).map { BucketPosition(UInt32($0) << 20) }, of: hashes)
        evaluated = state.bytes
    }

    /// The state with a change, and with the matching checksum.
    private func changed(_ change: (inout [UInt8]) -> Void) -> [UInt8] {
        var bytes = Array(evaluated.dropLast(16))
        change(&bytes)
        let key = Array(bytes[ClientStateTests.secret..<ClientStateTests.secret + 32])
        var code = [UInt8](repeating: 0, count: 16)
        key.withUnsafeBytes { key in
            bytes.withUnsafeBytes { bytes in
                code.withUnsafeMutableBytes { HMACSHA512(key: key).authenticate("kinfolk/2/state", bytes, into: $0) }
            }
        }
        return bytes + code
    }

    private func read(_ bytes: [UInt8]) throws -> ClientState {
        try ClientState(bytes, container: ClientStateTests.name)
    }

    @Test func aStateRoundTrips() throws {
        #expect(changed { _ in } == evaluated)
        #expect(try read(evaluated).bytes == evaluated)
    }

    @Test func fillersContinueAfterTheLastNumber() throws {
        let number = ClientStateTests.fillers..<ClientStateTests.fillers + 8
        var state = try read(changed { $0.replaceSubrange(number, with: [UInt8](repeating: .max, count: 8)) })
        #expect(state.makeFiller() != state.makeFiller())
    }

    @Test func aDuplicateContactIsRefused() {
        // It would be evaluated repeatedly, because only one of the two entries gets the result.
        let (first, length) = (ClientStateTests.contacts, ClientStateTests.contactLength)
        let twice = changed { bytes in
            bytes.replaceSubrange(first + length..<first + length + 32, with: bytes[first..<first + 32])
        }
        expect(.invalidArgument) { try read(twice) }
    }

    @Test func anIncompleteBatchIsRefused() throws {
        // No server would evaluate it.
        let (first, length) = (ClientStateTests.contacts, ClientStateTests.contactLength)
        let epoch = first + ClientStateTests.epoch + 3
        expect(.invalidArgument) { try read(changed { $0[epoch] = 2 }) }
        let shorter = changed { bytes in
            bytes.removeSubrange(first..<first + length)
            bytes[first - 1] = 63
        }
        expect(.invalidArgument) { try read(shorter) }
        let all = changed { bytes in for index in 0..<64 { bytes[epoch + length * index] = 2 } }
        #expect(throws: Never.self) { try read(all) }
        #expect(try read(all).stale.count == 64)
    }

    @Test func aStateOfTheFirstVersionIsRefused() {
        // Its contacts have bucket positions under another key.
        let refusal = expect(.invalidArgument) { try read(changed { $0[3] = UInt8(ascii: "1") }) }
        #expect(refusal?.reason.contains("older version") == true)
    }

    @Test func clientsWithTheSameSecretMakeTheSameFillers() {
        let secret = SecureRandom.bytes(32)
        var (one, other) = (
            ClientState(container: "com.example.notes", fillerSecret: secret),
            ClientState(container: "com.example.chat", fillerSecret: secret)
        )
        #expect((0..<10).map { _ in one.makeFiller() } == (0..<10).map { _ in other.makeFiller() })
        var third = ClientState(container: "com.example.notes")
        #expect(third.makeFiller() != one.makeFiller())
    }
}
