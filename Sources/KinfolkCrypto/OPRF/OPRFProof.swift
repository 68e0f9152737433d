/// A proof that all elements of a batch were evaluated with one key: the scalars c and s of RFC 9497, section 2.2.
package struct OPRFProof: Sendable, Equatable {
    /// 64 bytes.
    package let bytes: [UInt8]

    var challenge: [UInt8] { Array(bytes.prefix(OPRF.scalarLength)) }
    var response: [UInt8] { Array(bytes.suffix(OPRF.scalarLength)) }

    init(_ scalars: [UInt8]) { bytes = scalars }

    package init(bytes: UnsafeRawBufferPointer) throws(OPRFError) {
        let scalars = try Rows(bytes, count: 2, length: OPRF.scalarLength)
        try Scalar.check(scalars[0])
        try Scalar.check(scalars[1])
        self.init(Array(bytes))
    }
}
