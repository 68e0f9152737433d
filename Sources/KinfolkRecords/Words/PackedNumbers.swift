import KinfolkModel

/// Writes lists of numbers in few bytes: in groups of 128, each number of a group with as many bits as the largest one needs. A group
/// begins with this width (one byte).
///
/// An ascending list is written as the gaps between its numbers. Reading has no branch for a single number, and so is faster than
/// numbers with lengths of their own.
struct PackedNumbers {
    private static let groupSize = 128
    /// Numbers of ascending lists are lower.
    static let limit: Int64 = 1 << 62

    private(set) var bytes: [UInt8]

    init(_ bytes: [UInt8] = []) { self.bytes = bytes }

    mutating func append(byte: UInt8) { bytes.append(byte) }

    mutating func append(_ other: [UInt8]) { bytes.append(contentsOf: other) }

    /// Writes one number, seven bits in each byte.
    mutating func append(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Writes the count of an ascending list without duplicates, and its numbers, which are not negative and
    /// lower than ``limit``.
    mutating func append(ascending numbers: some Collection<Int64>) {
        append(UInt64(numbers.count))
        var last: Int64 = -1
        append(
            values: numbers.lazy.map { number in
                defer { last = number }
                return UInt64(bitPattern: number &- last &- 1)
            },
            count: numbers.count
        )
    }

    /// Writes numbers whose count the reader knows.
    mutating func append(values: some Sequence<UInt64>, count: Int) {
        bytes.reserveCapacity(bytes.count + 2 * count)
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: PackedNumbers.groupSize) { group in
            var size = 0
            for value in values {
                group[size] = value
                size += 1
                if size == PackedNumbers.groupSize {
                    append(group: UnsafeBufferPointer(rebasing: group[..<size]))
                    size = 0
                }
            }
            if size > 0 { append(group: UnsafeBufferPointer(rebasing: group[..<size])) }
        }
    }

    private mutating func append(group: UnsafeBufferPointer<UInt64>) {
        let width = UInt64.bitWidth - group.reduce(0, |).leadingZeroBitCount
        bytes.append(UInt8(truncatingIfNeeded: width))
        guard width > 0 else { return }
        // The bits that are not written yet, the lowest ones first.
        var (pending, count) = (UInt64(0), 0)
        for value in group {
            pending |= value << UInt64(count)
            count += width
            guard count >= UInt64.bitWidth else { continue }
            withUnsafeBytes(of: pending.littleEndian) { bytes.append(contentsOf: $0) }
            count -= UInt64.bitWidth
            // Shifts by 64 or more give 0.
            pending = value >> UInt64(width - count)
        }
        let left = (count + 7) / 8
        withUnsafeBytes(of: pending.littleEndian) { bytes.append(contentsOf: $0.prefix(left)) }
    }

    // MARK: Reading

    /// Reads what was written, from a position on. Wrong bytes give an error, or wrong numbers.
    struct Reader {
        private let bytes: UnsafeRawBufferPointer
        private var position = 0

        init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

        mutating func byte() throws -> UInt8 { try take(1)[0] }

        mutating func number() throws -> UInt64 {
            var (number, shift) = (UInt64(0), UInt64(0))
            while true {
                let byte = try self.byte()
                number |= UInt64(byte & 0x7f) << shift
                shift += 7
                if byte < 0x80 { return number }
                guard shift < 64 else { throw PostingRow.damage }
            }
        }

        mutating func ascending() throws -> [Int64] {
            // Of all gaps and numbers: none may have one of the two highest bits, so no sum was too large.
            var (last, bits) = (Int64(-1), UInt64(0))
            let numbers = try list(count()) { gap in
                last = last &+ Int64(bitPattern: gap) &+ 1
                bits |= gap | UInt64(bitPattern: last)
                return last
            }
            guard bits < UInt64(PackedNumbers.limit) else { throw PostingRow.damage }
            return numbers
        }

        mutating func values(_ count: Int) throws -> [UInt64] { try list(count) { $0 } }

        /// A count of numbers that follow.
        mutating func count() throws -> Int {
            guard let count = Int(exactly: try number()), isPossible(count) else { throw PostingRow.damage }
            return count
        }

        /// Whether so many numbers can follow: each group has at least one byte.
        private func isPossible(_ count: Int) -> Bool { count / PackedNumbers.groupSize <= bytes.count - position }

        @inline(__always)
        private mutating func list<Number>(_ count: Int, _ number: (UInt64) -> Number) throws -> [Number] {
            guard count >= 0, isPossible(count) else { throw PostingRow.damage }
            return try [Number](unsafeUninitializedCapacity: count) { numbers, done in
                while done < count {
                    let size = min(PackedNumbers.groupSize, count - done)
                    let width = Int(try byte())
                    guard width <= UInt64.bitWidth, let start = numbers.baseAddress else { throw PostingRow.damage }
                    let group = try take((size * width + 7) / 8)
                    let mask = UInt64.max << UInt64(width)
                    // Bytes of what follows are read with the group, and masked away.
                    let readable = UnsafeRawBufferPointer(rebasing: bytes[(position - group.count)...])
                    if width <= 56, readable.count >= group.count + 8, let first = readable.baseAddress {
                        for index in 0..<size {
                            let bit = index &* width
                            let word = UInt64(littleEndian: (first + (bit >> 3)).loadUnaligned(as: UInt64.self))
                            (start + done + index).initialize(to: number((word >> UInt64(bit & 7)) & ~mask))
                        }
                    } else {
                        for index in 0..<size {
                            let word = Reader.word(at: index * width, in: group)
                            (start + done + index).initialize(to: number(word & ~mask))
                        }
                    }
                    done += size
                }
            }
        }

        /// The bits from a position on; bits after the end are 0.
        private static func word(at bit: Int, in bytes: UnsafeRawBufferPointer) -> UInt64 {
            var word: UInt64 = 0
            let first = bit >> 3
            for index in first..<min(first + 9, bytes.count) {
                let shift = 8 * (index - first) - (bit & 7)
                word |= shift < 0 ? UInt64(bytes[index]) >> UInt64(-shift) : UInt64(bytes[index]) << UInt64(shift)
            }
            return word
        }

        /// The next bytes, with indices from 0.
        mutating func take(_ count: Int) throws -> UnsafeRawBufferPointer {
            guard count >= 0, count <= bytes.count - position else { throw PostingRow.damage }
            defer { position += count }
            return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
        }
    }
}
