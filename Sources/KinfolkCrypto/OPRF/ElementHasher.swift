import CSodium

/// HashToGroup of RFC 9497 (section 4.1), which is hash_to_ristretto255 of RFC 9380.
struct ElementHasher: Sendable {
    private let expander: MessageExpander

    init(_ mode: OPRFMode) { expander = MessageExpander(tag: mode.tag("HashToGroup-")) }

    /// Hashes an input and multiplies its element by a secret scalar: what blinding and evaluating begin with.
    func hash(
        _ input: UnsafeRawBufferPointer,
        by scalar: UnsafePointer<UInt8>,
        into product: UnsafeMutablePointer<UInt8>
    ) throws(OPRFError) {
        try withWipedScratch(MessageExpander.length + OPRF.elementLength) { (uniform) throws(OPRFError) in
            let element = uniform + MessageExpander.length
            expander.expand(into: uniform) { $0.update(input) }
            crypto_core_ristretto255_from_hash(element, uniform)
            guard crypto_scalarmult_ristretto255(product, scalar, element) == 0 else { throw .unusableInput }
        }
    }
}
