/// The weights d_i of a batch's elements (RFC 9497, section 2.2). They are hashes of the key and of the elements, so that nobody
/// can choose them.
struct OPRFWeights: Sendable {
    private let hasher: ScalarHasher
    private let seed: [UInt8]
    private let batch: OPRFBatch

    init(of batch: OPRFBatch, under key: OPRFPublicKey) {
        var hash = SHA512()
        key.bytes.withUnsafeBytes { hash.update(counted: $0) }
        key.mode.tag("Seed-").withUnsafeBytes { hash.update(counted: $0) }
        var seed = [UInt8](repeating: 0, count: SHA512.length)
        hash.finish(into: &seed)
        self.seed = seed
        self.batch = batch
        hasher = ScalarHasher(key.mode)
    }

    /// Writes the weight of one element.
    func weigh(_ index: Int, into weight: UnsafeMutablePointer<UInt8>) {
        hasher.hash(into: weight) { hash in
            seed.withUnsafeBytes { hash.update(counted: $0) }
            hash.update(number: index)
            hash.update(counted: batch.blinded[index], count: OPRF.elementLength)
            hash.update(counted: batch.evaluated[index], count: OPRF.elementLength)
            hash.update("Composite")
        }
    }
}
