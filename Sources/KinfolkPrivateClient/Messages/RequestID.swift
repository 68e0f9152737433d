import KinfolkCrypto
package import KinfolkModel

/// 16 random bytes by which a client matches an answer to its request.
package struct RequestID: Equatable, Sendable {
    package static let length = 16

    package let bytes: [UInt8]

    package static func make() -> RequestID { RequestID(bytes: SecureRandom.bytes(length)) }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    package init(_ reader: inout MessageReader) throws(KinfolkError) {
        bytes = Array(try reader.take(RequestID.length))
    }
}
