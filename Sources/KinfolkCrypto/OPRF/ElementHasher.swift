import CSodium

/// HashToGroup of RFC 9497 (section 4.1), which is hash_to_ristretto255 of RFC 9380.
struct ElementHasher: Sendable {
    private let expander: MessageExpander

    init(_ mode: OPRFMode) { expander = MessageExpander(tag: mode.tag("HashToGroup-")) }

    /// Hashes an input to an element.
    func hash(_ input: UnsafeRawBufferPointer, into element: UnsafeMutablePointer<UInt8>) {
        withWipedScratch(MessageExpander.length) { uniform in
            expander.expand(into: uniform) { $0.update(input) }
            crypto_core_ristretto255_from_hash(element, uniform)
        }
    }

    /// Hashes an input and multiplies its element by a secret scalar: the first step of blinding and of evaluation.
    func hash(
        _ input: UnsafeRawBufferPointer,
        by scalar: UnsafePointer<UInt8>,
        into product: UnsafeMutablePointer<UInt8>
    ) throws(OPRFError) {
        try withWipedScratch(OPRF.elementLength) { (element) throws(OPRFError) in
            hash(input, into: element)
            try Element.multiplyHashed(element, by: scalar, into: product)
        }
    }
}
