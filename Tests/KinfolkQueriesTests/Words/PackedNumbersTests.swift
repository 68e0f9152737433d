import KinfolkModel
import TestSupport
import Testing

@testable import KinfolkRecords

/// Lists of numbers in few bytes.
@Suite struct PackedNumbersTests {
    private func reading<Result>(
        _ bytes: [UInt8],
        _ body: (inout PackedNumbers.Reader) throws -> Result
    ) rethrows -> Result {
        try bytes.withUnsafeBytes { bytes in
            var reader = PackedNumbers.Reader(bytes)
            return try body(&reader)
        }
    }

    private func packed(_ numbers: [Int64]) -> [UInt8] {
        var writer = PackedNumbers()
        writer.append(ascending: numbers)
        return writer.bytes
    }

    @Test func listsAreReadAsTheyWereWritten() throws {
        var random = SystemRandomNumberGenerator()
        var lists: [[Int64]] = [[], [0], [PackedNumbers.limit - 1], [0, PackedNumbers.limit - 1], Array(0..<1_000)]
        for width in 0..<62 {
            for count in [1, 2, 127, 128, 129, 300] {
                let numbers = (0..<count).map { _ in Int64.random(in: 0...(1 << Int64(width)), using: &random) }
                lists.append(Set(numbers).sorted())
            }
        }
        for list in lists {
            #expect(try reading(packed(list)) { try $0.ascending() } == list)
            // What follows does not matter.
            #expect(try reading(packed(list) + [UInt8](repeating: 255, count: 9)) { try $0.ascending() } == list)
        }
    }

    @Test func valuesOfAnyWidthAreReadAsTheyWereWritten() throws {
        for width in 0...64 {
            let values = (0..<200).map { _ in
                width == 64 ? UInt64.random(in: 0...UInt64.max) : UInt64.random(in: 0...((1 << UInt64(width)) - 1))
            }
            var writer = PackedNumbers()
            writer.append(values: values, count: values.count)
            for value in values { writer.append(value) }
            let read = try reading(writer.bytes) { reader in
                try (reader.values(values.count), values.map { _ in try reader.number() })
            }
            #expect(read.0 == values)
            #expect(read.1 == values)
        }
    }

    @Test func numbersThatFollowEachOtherTakeAByteForEach128() {
        #expect(packed(Array(500..<1_524)).count == 2 + 1 + 9 * 16 + 7)
        #expect(packed(Array(0..<1_024)).count == 2 + 8)
    }

    @Test func anyBytesAreReadOrRefused() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                Bool.random(using: &random)
                    ? UInt8.random(in: 0...255, using: &random) : UInt8.random(in: 0...9, using: &random)
            }
            do {
                let list = try reading(bytes) { try $0.ascending() }
                #expect(zip(list, list.dropFirst()).allSatisfy { $0 < $1 } && list.first ?? 0 >= 0)
            } catch { #expect(KinfolkError(error).code == .storeCorrupt) }
            do { _ = try PostingRow(bytes) } catch { #expect(KinfolkError(error).code == .storeCorrupt) }
        }
    }
}
