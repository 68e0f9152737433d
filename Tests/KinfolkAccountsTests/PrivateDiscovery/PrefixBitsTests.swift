import Testing

@testable import Kinfolk

@Suite struct PrefixBitsTests {
    @Test func aDirectoryUpToOneMebibyteIsRequestedCompletely() {
        #expect(PrefixBits.suited(to: 0).count == 0)
        #expect(PrefixBits.suited(to: 21_845).count == 0)
        #expect(PrefixBits.suited(to: 21_846).count == 10)
        #expect(PrefixBits.suited(to: 32_767).count == 10)
        #expect(PrefixBits.suited(to: 32_768).count == 11)
        #expect(PrefixBits.suited(to: 1_000_000).count == 15)
        #expect(PrefixBits.suited(to: 1_048_576).count == 16)
        #expect(PrefixBits.suited(to: .max / 2).count == 32)
    }

    @Test func theNumberOfBitsIsStableWhenFewPeopleChange() {
        var bits = PrefixBits.suited(to: 1_048_576)
        for rows in [1_048_575, 1_048_577, 1_000_000, 800_000] {
            bits = bits.following(rows)
            #expect(bits.count == 16, "\(rows)")
        }
        bits = bits.following(780_000)
        #expect(bits.count == 15)
        bits = bits.following(1_048_575)
        #expect(bits.count == 15)
        bits = bits.following(1_048_576)
        #expect(bits.count == 16)
        #expect(PrefixBits.none.following(21_846).count == 10)
        #expect(PrefixBits(clamping: 10).following(21_845).count == 10)
        #expect(PrefixBits(clamping: 10).following(16_000).count == 0)
    }

    @Test(arguments: [0, 1, 7, 8, 9, 15, 16, 31, 32])
    func aPrefixCoversItsPositionsAndHasTheFewestBytes(_ count: Int) throws {
        let bits = PrefixBits(clamping: count)
        for position in [BucketPosition(0), BucketPosition(.max), BucketPosition(0x8123_4567)] {
            let prefix = BucketPrefix(of: position, bits)
            #expect(bytes(prefix).count == (count + 7) / 8)
            #expect(BucketPrefix(bytes(prefix), bits) == prefix)
            #expect(prefix.positions.contains(position))
            #expect(BucketPrefix(of: prefix.positions.lowerBound, bits) == prefix)
            #expect(BucketPrefix(of: prefix.positions.upperBound, bits) == prefix)
            if prefix.positions.upperBound.value < .max {
                #expect(BucketPrefix(of: BucketPosition(prefix.positions.upperBound.value + 1), bits) > prefix)
            }
            if count % 8 != 0 {
                var loose = bytes(prefix)
                loose[loose.count - 1] |= 1
                #expect(BucketPrefix(loose, bits) == nil)
            }
        }
    }

    private func bytes(_ prefix: BucketPrefix) -> [UInt8] { prefix.withUnsafeBytes(Array.init) }
}
