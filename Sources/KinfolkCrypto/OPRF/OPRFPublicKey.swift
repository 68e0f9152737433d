/// The server's public key.
package struct OPRFPublicKey: Sendable, Equatable {
    package let mode: OPRFMode
    /// The element, 32 bytes.
    package let bytes: [UInt8]

    init(_ element: [UInt8], mode: OPRFMode) {
        bytes = element
        self.mode = mode
    }

    package init(bytes: UnsafeRawBufferPointer, mode: OPRFMode) throws(OPRFError) {
        let given = try Rows(bytes, count: 1, length: OPRF.elementLength)
        try Element.check(given[0])
        self.init(Array(bytes), mode: mode)
    }
}
