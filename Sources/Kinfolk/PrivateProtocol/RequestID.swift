import KinfolkCrypto

/// 16 random bytes by which a client matches an answer to its request.
struct RequestID: Equatable, Sendable {
    static let length = 16

    let bytes: [UInt8]

    static func make() -> RequestID { RequestID(bytes: SecureRandom.bytes(length)) }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    init(_ reader: inout MessageReader) throws(KinfolkError) { bytes = Array(try reader.take(RequestID.length)) }
}
