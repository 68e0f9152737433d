package import KinfolkModel

/// Reads a message of private discovery strictly: it refuses missing, excess and out-of-range data.
package struct MessageReader {
    /// `KF` and the version of the protocol.
    package static let magic: [UInt8] = [UInt8(ascii: "K"), UInt8(ascii: "F"), 2]

    package let type: MessageType
    package let epoch: UInt32
    private var reader: BytesReader

    package init(_ bytes: [UInt8]) throws(KinfolkError) {
        guard bytes.starts(with: MessageReader.magic.prefix(2)) else {
            throw MessageReader.malformed("This is not a message of private discovery.")
        }
        reader = BytesReader(bytes)
        let version = try reader.take(MessageReader.magic.count).last
        guard version == MessageReader.magic.last else {
            throw MessageReader.malformed("The message uses another version of the protocol.")
        }
        guard let type = MessageType(rawValue: try reader.number()) else {
            throw MessageReader.malformed("The type of the message is unknown.")
        }
        self.type = type
        epoch = try reader.number()
    }

    package mutating func number<Number: FixedWidthInteger & UnsignedInteger>(
        _ type: Number.Type = Number.self
    ) throws(KinfolkError) -> Number { try reader.number(type) }

    /// The next bytes.
    package mutating func take(_ count: Int) throws(KinfolkError) -> ArraySlice<UInt8> { try reader.take(count) }

    package mutating func version() throws(KinfolkError) -> BucketVersion {
        BucketVersion(try take(BucketVersion.length))
    }

    /// A prefix of `bits` bits. The unused bits of its last byte must be zero.
    package mutating func prefix(_ bits: PrefixBits) throws(KinfolkError) -> BucketPrefix {
        guard let prefix = BucketPrefix(try take(bits.byteCount), bits) else {
            throw MessageReader.malformed("The unused bits of a prefix are not zero.")
        }
        return prefix
    }

    package mutating func prefixBits() throws(KinfolkError) -> PrefixBits {
        guard let bits = PrefixBits(Int(try number(UInt8.self))) else {
            throw MessageReader.malformed("A prefix has at most \(PrefixBits.maximum) bits.")
        }
        return bits
    }

    /// The only flag of a message: whether it contains or requests a proof.
    package mutating func flag() throws(KinfolkError) -> Bool {
        let flags = try number(UInt8.self)
        guard flags <= 1 else { throw MessageReader.malformed("The message has unknown flags.") }
        return flags == 1
    }

    /// How many points a batch has.
    package mutating func batchSize() throws(KinfolkError) -> Int {
        let count = Int(try number(UInt16.self))
        guard BatchSize.all.contains(count) else {
            throw MessageReader.malformed("A batch has 64, 256, 1,024, 4,096 or 16,384 points.")
        }
        return count
    }

    /// Throws if bytes are left.
    package func finish() throws(KinfolkError) {
        guard reader.rest == 0 else {
            throw MessageReader.malformed("There are bytes after the end of the message.")
        }
    }

    package static func malformed(_ reason: String) -> KinfolkError { KinfolkError(.invalidArgument, reason) }
}
