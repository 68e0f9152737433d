import CSodium
import KinfolkThreads

/// The server's secret key, and its operations.
package struct OPRFKey: Sendable {
    package let publicKey: OPRFPublicKey
    private let scalar: SecretBytes

    package var mode: OPRFMode { publicKey.mode }

    /// DeriveKeyPair: the same seed, information and mode always give the same key.
    package init(seed: SecretKey, info: [UInt8], mode: OPRFMode) throws(OPRFError) {
        guard info.count <= Int(UInt16.max) else { throw .inputTooLong }
        // Unlike the other tags, this one has no dash before the context string.
        let hasher = ScalarHasher(tag: mode.tag("DeriveKeyPair"))
        try self.init(mode: mode) { scalar in
            seed.withUnsafeBytes { seed in
                for counter in UInt8.min...UInt8.max where Scalar.isZero(scalar) {
                    hasher.hash(into: scalar) { hash in
                        hash.update(seed)
                        info.withUnsafeBytes { hash.update(counted: $0) }
                        hash.update(byte: counter)
                    }
                }
            }
        }
    }

    /// A key from a stored scalar, as ``withUnsafeBytes(_:)`` gave it.
    package init(scalar bytes: UnsafeRawBufferPointer, mode: OPRFMode) throws(OPRFError) {
        let given = try Rows(bytes, count: 1, length: OPRF.scalarLength)
        try Scalar.checkSecret(given[0])
        try self.init(mode: mode) { $0.update(from: given[0], count: OPRF.scalarLength) }
    }

    package static func random(_ mode: OPRFMode) throws(OPRFError) -> OPRFKey {
        try OPRFKey(mode: mode) { Scalar.random(into: $0, count: 1) }
    }

    private init(mode: OPRFMode, fill: (UnsafeMutablePointer<UInt8>) -> Void) throws(OPRFError) {
        var element = [UInt8](repeating: 0, count: OPRF.elementLength)
        let scalar = try? SecretBytes(count: OPRF.scalarLength) { memory in
            guard let start = memory.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            start.initialize(repeating: 0, count: OPRF.scalarLength)
            fill(start)
            _ = crypto_scalarmult_ristretto255_base(&element, start)
        }
        guard let scalar else { throw .unavailable }
        // The product is the identity: the scalar is zero.
        guard !Element.isIdentity(element) else { throw .unusableSeed }
        self.scalar = scalar
        publicKey = OPRFPublicKey(element, mode: mode)
    }

    /// The scalar, 32 bytes. Seal it before you store it.
    package func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try scalar.withUnsafeBytes(body)
    }

    /// BlindEvaluate without a proof: writes 32 bytes for each blinded element. Input and output may be the same memory.
    ///
    /// All elements are checked before any is multiplied: a batch that is refused for its last element costs a tenth of the work.
    package func blindEvaluate(
        _ blinded: UnsafeRawBufferPointer,
        into evaluated: UnsafeMutableRawBufferPointer,
        threads: Int = 1
    ) throws(OPRFError) {
        let count = try Rows.count(in: blinded, length: OPRF.elementLength)
        let elements = try Rows(blinded, count: count, length: OPRF.elementLength)
        let products = try WritableRows(evaluated, count: count, length: OPRF.elementLength)
        do {
            try Parallel.forEachPart(of: count, sizes: OPRF.partSizes, threads: threads) { (part) throws(OPRFError) in
                for index in part { try Element.check(elements[index]) }
            }
            try withScalar { (key) throws(OPRFError) in
                try Parallel.forEachPart(of: count, sizes: OPRF.partSizes, threads: threads) {
                    (part) throws(OPRFError) in
                    for index in part { try Element.multiply(elements[index], by: key[0], into: products[index]) }
                }
            }
        } catch {
            wipe(evaluated)
            throw error
        }
    }

    /// Evaluate: computes for each input the 64-byte output that a client would get, with less than half of the work of blinding,
    /// evaluating and finalizing.
    package func evaluate(
        _ inputs: OPRFInputs,
        into outputs: UnsafeMutableRawBufferPointer,
        threads: Int = 1
    ) throws(OPRFError) {
        let results = try WritableRows(outputs, count: inputs.count, length: OPRF.outputLength)
        let hasher = ElementHasher(mode)
        do {
            try withScalar { (key) throws(OPRFError) in
                try Parallel.forEachPart(of: inputs.count, sizes: OPRF.partSizes, threads: threads) {
                    (part) throws(OPRFError) in
                    try withWipedScratch(OPRF.elementLength) { (element) throws(OPRFError) in
                        for index in part {
                            try hasher.hash(inputs[index], by: key[0], into: element)
                            Element.output(of: inputs[index], element, into: results[index])
                        }
                    }
                }
            }
        } catch {
            wipe(outputs)
            throw error
        }
    }

    /// Evaluates the inputs under this key and under `other`, which has the same mode. Each input is hashed to the group only once.
    package func evaluate(
        _ inputs: OPRFInputs,
        into outputs: UnsafeMutableRawBufferPointer,
        and other: OPRFKey,
        into otherOutputs: UnsafeMutableRawBufferPointer,
        threads: Int = 1
    ) throws(OPRFError) {
        let results = try WritableRows(outputs, count: inputs.count, length: OPRF.outputLength)
        let otherResults = try WritableRows(otherOutputs, count: inputs.count, length: OPRF.outputLength)
        let hasher = ElementHasher(mode)
        do {
            try withScalar { (key) throws(OPRFError) in
                try other.withScalar { (otherKey) throws(OPRFError) in
                    try Parallel.forEachPart(of: inputs.count, sizes: OPRF.partSizes, threads: threads) {
                        (part) throws(OPRFError) in
                        try withWipedScratch(2 * OPRF.elementLength) { (element) throws(OPRFError) in
                            let product = element + OPRF.elementLength
                            for index in part {
                                hasher.hash(inputs[index], into: element)
                                try Element.multiplyHashed(element, by: key[0], into: product)
                                Element.output(of: inputs[index], product, into: results[index])
                                try Element.multiplyHashed(element, by: otherKey[0], into: product)
                                Element.output(of: inputs[index], product, into: otherResults[index])
                            }
                        }
                    }
                }
            }
        } catch {
            wipe(outputs)
            wipe(otherOutputs)
            throw error
        }
    }

    /// The scalar, for use on several threads.
    func withScalar<Result>(_ body: (Rows) throws(OPRFError) -> Result) throws(OPRFError) -> Result {
        try scalar.withUnsafeBytes { (memory) throws(OPRFError) in
            try body(Rows(memory, count: 1, length: OPRF.scalarLength))
        }
    }
}
