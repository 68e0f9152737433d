/// A message of private discovery, parsed as `docs/private-discovery.md` describes it, without code of the library.
struct SeenMessage {
    enum Kind: UInt8 {
        case descriptionRequest = 1
        case description, evaluationRequest, evaluation, bucketRequest, buckets, renewalRequest, renewal
    }

    static let pointLength = 32
    static let proofLength = 64
    static let rowLength = 48
    private static let versionLength = 5
    /// Where the fields after the header begin, and those after the request ID.
    private static let (fields, afterID) = (8, 24)

    private(set) var bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var kind: Kind? { bytes.count >= SeenMessage.fields ? Kind(rawValue: bytes[3]) : nil }

    private func number(_ start: Int, _ length: Int) -> Int {
        bytes[start..<start + length].reduce(0) { $0 << 8 | Int($1) }
    }

    var epoch: Int { number(4, 4) }

    /// The same message with zeros for its ID, which is random.
    var withoutID: [UInt8] {
        var copy = bytes
        for index in SeenMessage.fields..<min(SeenMessage.afterID, copy.count) { copy[index] = 0 }
        return copy
    }

    // MARK: Description

    /// The places of the bucket key, and of the newest epoch's bits and public key.
    private static let (bucketKeyInDescription, bitsInDescription, keyInDescription) = (8, 46, 47)

    mutating func setBits(_ bits: UInt8) { bytes[SeenMessage.bitsInDescription] = bits }

    mutating func setPublicKey(_ key: [UInt8]) {
        let start = SeenMessage.keyInDescription
        bytes.replaceSubrange(start..<start + SeenMessage.pointLength, with: key)
    }

    mutating func setBucketKey(_ key: [UInt8]) {
        let start = SeenMessage.bucketKeyInDescription
        bytes.replaceSubrange(start..<start + SeenMessage.pointLength, with: key)
    }

    // MARK: Evaluation and renewal, and their requests

    /// How many points there are.
    var pointCount: Int { number(SeenMessage.afterID + 1, 2) }

    private var pointRange: Range<Int> {
        // A renewal's request names the epoch in which the contacts were paid for.
        let start = SeenMessage.afterID + 3 + (kind == .renewalRequest ? 4 : 0)
        return start..<start + pointCount * SeenMessage.pointLength
    }

    /// The place of the points under the bucket key, or of the receipts of a renewal.
    private var secondRange: Range<Int> {
        let start = pointRange.upperBound
        return start..<start + pointCount * SeenMessage.pointLength
    }

    /// The second point of each, one after the other.
    var secondPoints: [UInt8] {
        get { Array(bytes[secondRange]) }
        set { bytes.replaceSubrange(secondRange, with: newValue) }
    }

    /// The points, one after the other.
    var points: [UInt8] {
        get { Array(bytes[pointRange]) }
        set { bytes.replaceSubrange(pointRange, with: newValue) }
    }

    /// The point at a place.
    subscript(point index: Int) -> [UInt8] {
        get { Array(bytes[pointRange].dropFirst(index * SeenMessage.pointLength).prefix(SeenMessage.pointLength)) }
        set {
            let start = pointRange.lowerBound + index * SeenMessage.pointLength
            bytes.replaceSubrange(start..<start + SeenMessage.pointLength, with: newValue)
        }
    }

    private mutating func makeRoomForProofs() {
        guard bytes[SeenMessage.afterID] == 0 else { return }
        bytes[SeenMessage.afterID] = 1
        bytes += [UInt8](repeating: 0, count: 2 * SeenMessage.proofLength)
    }

    /// Sets the proof of an evaluation under the epoch's key.
    mutating func setProof(_ proof: [UInt8]) {
        makeRoomForProofs()
        let start = secondRange.upperBound
        bytes.replaceSubrange(start..<start + SeenMessage.proofLength, with: proof)
    }

    /// Sets the proof of an evaluation under the bucket key.
    mutating func setBucketProof(_ proof: [UInt8]) {
        makeRoomForProofs()
        let start = secondRange.upperBound + SeenMessage.proofLength
        bytes.replaceSubrange(start..<start + SeenMessage.proofLength, with: proof)
    }

    /// The proof under the epoch's key, in an evaluation that has proofs.
    var proof: [UInt8] { Array(bytes[secondRange.upperBound..<secondRange.upperBound + SeenMessage.proofLength]) }

    mutating func removeProof() {
        bytes[SeenMessage.afterID] = 0
        bytes.removeSubrange(secondRange.upperBound..<bytes.count)
    }

    // MARK: Buckets, and their request

    /// The number of bits of each bucket position in a request.
    var bits: Int { number(SeenMessage.afterID, 1) }

    private var bucketCount: Int { number(SeenMessage.afterID + 1, 2) }

    /// The prefixes that are asked for, as numbers, in their order, and whether the client has the bucket already.
    var buckets: [(prefix: UInt64, isKnown: Bool)] {
        let length = (bits + 7) / 8
        return (0..<bucketCount).map { index in
            let start = SeenMessage.afterID + 3 + index * (length + SeenMessage.versionLength)
            let prefix = UInt64(number(start, length)) >> UInt64(8 * length - bits)
            return (prefix, number(start + length, SeenMessage.versionLength) != 0)
        }
    }

    /// The request of a client that has no bucket yet.
    var withoutVersions: SeenMessage {
        var copy = self
        let prefixLength = (bits + 7) / 8
        let length = prefixLength + SeenMessage.versionLength
        for index in 0..<bucketCount {
            let start = SeenMessage.afterID + 3 + index * length + prefixLength
            for byte in start..<start + SeenMessage.versionLength { copy.bytes[byte] = 0 }
        }
        return copy
    }

    /// The rows of each bucket in an answer; nil for one that has not changed.
    var rows: [[[UInt8]]?] {
        let start = SeenMessage.afterID + 3
        var position = start + (bucketCount + 7) / 8
        return (0..<bucketCount).map { index in
            guard bytes[start + index / 8] & 0x80 >> UInt8(index % 8) != 0 else { return nil }
            let count = number(position + SeenMessage.versionLength, 4)
            position += SeenMessage.versionLength + 4
            defer { position += count * SeenMessage.rowLength }
            return (0..<count).map { row in
                Array(bytes[position + row * SeenMessage.rowLength..<position + (row + 1) * SeenMessage.rowLength])
            }
        }
    }
}
