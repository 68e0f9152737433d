import CSodium

/// A sum of elements from the other side, each times a weight.
struct WeightedSum: Sendable {
    /// The sum's encoding. It begins with the identity.
    private var bytes = [UInt8](repeating: 0, count: OPRF.elementLength)

    /// Adds `count` elements, each times the 32-byte weight with the same index.
    mutating func add(
        _ elements: UnsafePointer<UInt8>,
        weights: UnsafePointer<UInt8>,
        count: Int
    ) throws(OPRFError) {
        try withWipedScratch(OPRF.elementLength) { (product) throws(OPRFError) in
            for offset in stride(from: 0, to: OPRF.elementLength * count, by: OPRF.elementLength) {
                try Element.multiply(elements + offset, by: weights + offset, into: product)
                crypto_core_ristretto255_add(&bytes, bytes, product)
            }
        }
    }

    mutating func add(_ other: WeightedSum) { crypto_core_ristretto255_add(&bytes, bytes, other.bytes) }

    /// The sum's 32 bytes.
    var encoded: [UInt8] { bytes }
}
