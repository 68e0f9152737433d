import CSodium

extension OPRFKey {
    /// GenerateProof: for a batch that ``blindEvaluate(_:into:threads:)`` evaluated.
    package func prove(
        blinded: UnsafeRawBufferPointer,
        evaluated: UnsafeRawBufferPointer,
        threads: Int = 1
    ) throws(OPRFError) -> OPRFProof {
        try prove(blinded: blinded, evaluated: evaluated, with: nil, threads: threads)
    }

    /// GenerateProof with a given nonce, for published test vectors. Two proofs with the same nonce reveal the key.
    package func prove(
        blinded: UnsafeRawBufferPointer,
        evaluated: UnsafeRawBufferPointer,
        with nonce: UnsafeRawBufferPointer?,
        threads: Int = 1
    ) throws(OPRFError) -> OPRFProof {
        guard mode == .voprf else { throw .modeWithoutProofs }
        let batch = try OPRFBatch(blinded: blinded, evaluated: evaluated)
        let given = try nonce.map { (nonce) throws(OPRFError) in
            let given = try Rows(nonce, count: 1, length: OPRF.scalarLength)
            try Scalar.checkSecret(given[0])
            return given
        }
        let composites = try OPRFComposites(batch, under: self, threads: threads)
        return try withWipedScratch(OPRF.proofLength + 4 * OPRF.scalarLength) { (proof) throws(OPRFError) in
            let (challenge, response) = (proof, proof + OPRF.scalarLength)
            let nonce = response + OPRF.scalarLength
            let product = nonce + OPRF.scalarLength
            let t2 = product + OPRF.scalarLength
            let t3 = t2 + OPRF.elementLength
            if let given {
                nonce.update(from: given[0], count: OPRF.scalarLength)
            } else {
                Scalar.random(into: nonce, count: 1)
            }
            _ = crypto_scalarmult_ristretto255_base(t2, nonce)
            // The function reports a failure if the product is the identity, but it has written it correctly.
            _ = crypto_scalarmult_ristretto255(t3, nonce, composites.blinded)
            composites.challenge(under: publicKey, t2, t3, into: challenge)
            try withScalar { (key) throws(OPRFError) in
                crypto_core_ristretto255_scalar_mul(product, challenge, key[0])
            }
            crypto_core_ristretto255_scalar_sub(response, nonce, product)
            return OPRFProof(Array(UnsafeBufferPointer(start: proof, count: OPRF.proofLength)))
        }
    }
}
