import CSodium
import KinfolkThreads

/// The two elements that represent a batch in a proof: M and Z of RFC 9497, section 2.2.
struct OPRFComposites {
    /// The weighted sum of the blinded elements: M.
    let blinded: [UInt8]
    /// The weighted sum of the evaluated elements: Z.
    let evaluated: [UInt8]

    /// ComputeComposites: for the holder of the public key.
    init(_ batch: OPRFBatch, under key: OPRFPublicKey, threads: Int) throws(OPRFError) {
        let sums = try OPRFComposites.sums(of: batch, under: key, threads: threads) {
            (sums, part, weights) throws(OPRFError) in
            try sums.blinded.add(batch.blinded[part.lowerBound], weights: weights, count: part.count)
            try sums.evaluated.add(batch.evaluated[part.lowerBound], weights: weights, count: part.count)
        }
        blinded = sums.blinded.encoded
        evaluated = sums.evaluated.encoded
    }

    /// ComputeCompositesFast: for the server, which computes Z from M with its secret key.
    init(_ batch: OPRFBatch, under key: OPRFKey, threads: Int) throws(OPRFError) {
        let sums = try OPRFComposites.sums(of: batch, under: key.publicKey, threads: threads) {
            (sums, part, weights) throws(OPRFError) in
            try sums.blinded.add(batch.blinded[part.lowerBound], weights: weights, count: part.count)
        }
        let blinded = sums.blinded.encoded
        var evaluated = [UInt8](repeating: 0, count: OPRF.elementLength)
        try key.withScalar { (key) throws(OPRFError) in
            // The function reports a failure if the product is the identity, but it has written it correctly.
            _ = crypto_scalarmult_ristretto255(&evaluated, key[0], blinded)
        }
        self.blinded = blinded
        self.evaluated = evaluated
    }

    private typealias Sums = (blinded: WeightedSum, evaluated: WeightedSum)

    private static func sums(
        of batch: OPRFBatch,
        under key: OPRFPublicKey,
        threads: Int,
        _ add: @escaping @Sendable (inout Sums, Range<Int>, UnsafePointer<UInt8>) throws(OPRFError) -> Void
    ) throws(OPRFError) -> Sums {
        let weights = OPRFWeights(of: batch, under: key)
        let total = Lock<Sums>((WeightedSum(), WeightedSum()))
        try Parallel.forEachPart(of: batch.count, sizes: OPRF.partSizes, threads: threads) {
            (part) throws(OPRFError) in
            var sums: Sums = (WeightedSum(), WeightedSum())
            try withWipedScratch(OPRF.scalarLength * part.count) { (scratch) throws(OPRFError) in
                for index in part {
                    weights.weigh(index, into: scratch + OPRF.scalarLength * (index - part.lowerBound))
                }
                try add(&sums, part, scratch)
            }
            total.withLock { total in
                total.blinded.add(sums.blinded)
                total.evaluated.add(sums.evaluated)
            }
        }
        return total.withLock { $0 }
    }

    /// Writes the scalar c, which binds a proof to the key, both composites and both commitments.
    func challenge(
        under key: OPRFPublicKey,
        _ t2: UnsafePointer<UInt8>,
        _ t3: UnsafePointer<UInt8>,
        into challenge: UnsafeMutablePointer<UInt8>
    ) {
        ScalarHasher(key.mode).hash(into: challenge) { hash in
            for element in [key.bytes, blinded, evaluated] { hash.update(counted: element, count: element.count) }
            hash.update(counted: t2, count: OPRF.elementLength)
            hash.update(counted: t3, count: OPRF.elementLength)
            hash.update("Challenge")
        }
    }
}
