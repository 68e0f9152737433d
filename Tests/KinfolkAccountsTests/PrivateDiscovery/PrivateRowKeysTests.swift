import KinfolkCrypto
import Testing

@testable import Kinfolk

@Suite struct PrivateRowKeysTests {
    private func keys(_ seed: UInt8 = 1) throws -> PrivateRowKeys {
        let seed = [UInt8](repeating: seed, count: SecretKey.length)
        return try PrivateRowKeys(seed: seed.withUnsafeBytes(SecretKey.init(copying:)), container: 1, epoch: 1)
    }

    private let positions = (0..<300).map { _ in UInt32.random(in: .min ... .max) } + [0, .max, 1, 1 << 31]

    @Test func storedPositionsShareAsManyFirstBitsAsTheOriginals() throws {
        let keys = try keys()
        for one in positions {
            for other in positions + [one ^ 1, one ^ 1 << 16] {
                let shared = (one ^ other).leadingZeroBitCount
                #expect((keys.stored(one) ^ keys.stored(other)).leadingZeroBitCount == shared)
            }
        }
        #expect(Set(positions.map { keys.stored($0) }).count == Set(positions).count)
    }

    @Test(arguments: [0, 1, 7, 15, 20, 31, 32]) func aRangeHasExactlyThePositionsOfAPrefix(bits: Int) throws {
        let keys = try keys()
        for position in positions.prefix(50) {
            let prefix = BucketPrefix(of: BucketPosition(position), PrefixBits(clamping: bits))
            let range = keys.range(of: prefix)
            for other in positions + [position ^ 1, position ^ UInt32.max >> 7] {
                let isInside = (range.first...range.last).contains(keys.stored(other))
                #expect(isInside == prefix.positions.contains(BucketPosition(other)))
            }
        }
    }

    @Test func anotherSeedStoresDifferentBits() throws {
        let (one, other) = (try keys(), try keys(2))
        // About half of all bits of 304 numbers of 32 bits.
        let different = positions.reduce(0) { $0 + (one.stored($1) ^ other.stored($1)).nonzeroBitCount }
        #expect((4_000...5_800).contains(different))
    }
}
