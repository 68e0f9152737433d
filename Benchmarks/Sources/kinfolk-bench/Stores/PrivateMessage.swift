/// A message of private discovery, parsed for the floor.
struct PrivateMessage {
    /// The kinds of requests, except the first one, for the description of the directory.
    enum Kind: UInt8 {
        case evaluation = 3
        case buckets = 5
    }

    let bytes: [UInt8]
    private static let headerLength = 8
    /// The length of the header, the request ID, the flags or the number of bits, and the number of elements.
    static let startLength = headerLength + 16 + 1 + 2

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var kind: Kind? { Kind(rawValue: bytes[3]) }

    var count: Int { Int(bytes[25]) << 8 | Int(bytes[26]) }

    /// The points of an evaluation, or of a request for one.
    var points: [UInt8] { Array(bytes[PrivateMessage.startLength...].prefix(32 * count)) }

    /// The points of an evaluation under the bucket key.
    var bucketPoints: [UInt8] { Array(bytes[(PrivateMessage.startLength + 32 * count)...].prefix(32 * count)) }

    /// The proofs after the points of an evaluation: one under the epoch's key, and one under the bucket key.
    var proof: [UInt8] { Array(bytes[(PrivateMessage.startLength + 64 * count)...].prefix(64)) }
    var bucketProof: [UInt8] { Array(bytes[(PrivateMessage.startLength + 64 * count)...].dropFirst(64)) }

    var prefixBits: Int { Int(bytes[24]) }

    /// The buckets that a client asks for: a prefix and a version each.
    var prefixes: [UInt8] { Array(bytes[PrivateMessage.startLength...]) }
    var prefixStride: Int { (prefixBits + 7) / 8 + 5 }

    /// The rows of all buckets of an answer, if all of them changed.
    var rows: [UInt8] {
        var rows: [UInt8] = []
        var position = PrivateMessage.startLength + (count + 7) / 8
        while position < bytes.count {
            let count = bytes[position + 5..<position + 9].reduce(0) { $0 << 8 | Int($1) }
            rows += bytes[position + 9..<position + 9 + 48 * count]
            position += 9 + 48 * count
        }
        return rows
    }
}
