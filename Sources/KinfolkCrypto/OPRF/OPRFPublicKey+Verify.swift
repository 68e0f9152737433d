import CSodium

extension OPRFPublicKey {
    /// VerifyProof: fails unless all elements were evaluated with this key's secret key, in this order.
    package func verify(
        _ proof: OPRFProof,
        blinded: UnsafeRawBufferPointer,
        evaluated: UnsafeRawBufferPointer,
        threads: Int = 1
    ) throws(OPRFError) {
        guard mode == .voprf else { throw .modeWithoutProofs }
        let batch = try OPRFBatch(blinded: blinded, evaluated: evaluated)
        let composites = try OPRFComposites(batch, under: self, threads: threads)
        let isRight = withWipedScratch(3 * OPRF.elementLength) { t2 in
            let t3 = t2 + OPRF.elementLength
            let expected = t3 + OPRF.elementLength
            Element.combine(proof.response, nil, proof.challenge, bytes, into: t2)
            Element.combine(proof.response, composites.blinded, proof.challenge, composites.evaluated, into: t3)
            composites.challenge(under: self, t2, t3, into: expected)
            return sodium_memcmp(expected, proof.challenge, OPRF.scalarLength) == 0
        }
        guard isRight else { throw .wrongProof }
    }
}
