import KinfolkCrypto
import Testing

@Suite struct SealingTests {
    private let key: SealingKey
    private let place = SealedPlace("table", "column", row: [1, 2, 3])

    init() throws { key = try SealingKey(.random()) }

    @Test func sealedValuesOpen() throws {
        for length in 0...200 {
            let value = SecureRandom.bytes(length)
            #expect(try key.open(key.seal(value, at: place), at: place) == value)
        }
    }

    @Test(arguments: [[0x80], [0], [0x80, 0], [0, 0, 0], [1, 0x80, 0, 0]] as [[UInt8]])
    func aValueThatEndsLikePaddingOpens(end: [UInt8]) throws {
        for length in 28...36 {
            let value = [UInt8](repeating: 7, count: length) + end
            #expect(try key.open(key.seal(value, at: place), at: place) == value)
        }
    }

    /// 4 bytes of key ID, 24 of nonce, 16 of authentication, and the value padded to the next multiple of 32.
    @Test(arguments: [(0, 32), (1, 32), (31, 32), (32, 64), (63, 64), (64, 96), (1_000, 1_024)])
    func theSealedLengthRevealsOnlyTheNumberOfBlocks(length: Int, padded: Int) {
        #expect(key.seal([UInt8](repeating: 1, count: length), at: place).count == 4 + 24 + padded + 16)
    }

    @Test func theSameValueSealsDifferentlyEachTime() {
        let sealed = (0..<100).map { _ in key.seal([1, 2, 3], at: place) }
        #expect(Set(sealed).count == 100)
    }

    @Test func aSealedValueDoesNotContainTheValue() {
        let value = Array("ada@example.com, Ada Lovelace".utf8)
        let sealed = key.seal(value, at: place)
        for start in sealed.indices where start + 4 <= sealed.count {
            #expect(sealed[start..<start + 4].elementsEqual(value[0..<4]) == false)
        }
    }

    @Test func aChangeOfAnyBitIsDetected() {
        let sealed = key.seal(Array("value".utf8), at: place)
        for index in sealed.indices {
            for bit in 0..<8 {
                var changed = sealed
                changed[index] ^= 1 << bit
                #expect(throws: CryptoError.self) { try key.open(changed, at: place) }
            }
        }
    }

    @Test func aTruncatedOrExtendedValueDoesNotOpen() {
        let sealed = key.seal([UInt8](repeating: 9, count: 40), at: place)
        for length in 0..<sealed.count {
            #expect(throws: CryptoError.self) { try key.open(Array(sealed.prefix(length)), at: place) }
        }
        #expect(throws: CryptoError.self) { try key.open(sealed + [0], at: place) }
        #expect(throws: CryptoError.self) { try key.open(sealed + [UInt8](repeating: 0, count: 32), at: place) }
    }

    @Test(arguments: [
        SealedPlace("tables", "column", row: [1, 2, 3]),
        SealedPlace("table", "columns", row: [1, 2, 3]),
        SealedPlace("table", "column", row: [1, 2, 4]),
        SealedPlace("table", "column", row: [1, 2], [3]),
        SealedPlace("table", "column", row: [1, 2, 3], []),
        SealedPlace("table", "column"),
        SealedPlace("tablec", "olumn", row: [1, 2, 3]),
    ])
    func aSealedValueOpensOnlyInItsPlace(elsewhere: SealedPlace) {
        let sealed = key.seal([1], at: place)
        #expect(throws: CryptoError.self) { try key.open(sealed, at: elsewhere) }
    }

    @Test func anotherKeyDoesNotOpenIt() throws {
        let other = try SealingKey(.random())
        let sealed = key.seal([1], at: place)
        #expect(throws: CryptoError.self) { try other.open(sealed, at: place) }
        // It does not open with the other key's ID in front either.
        let otherID = Array(other.seal([1], at: place).prefix(4))
        #expect(throws: CryptoError.self) { try other.open(otherID + Array(sealed.dropFirst(4)), at: place) }
    }

    @Test func theSameKeyOpensItInAnotherProcess() throws {
        let sealed = try SealingKey(countingKey()).seal([5, 6], at: place)
        #expect(try SealingKey(countingKey()).open(sealed, at: place) == [5, 6])
    }
}
