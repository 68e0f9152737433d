import CSodium

/// Numbers modulo the order of ristretto255, as their 32 bytes.
enum Scalar {
    static func isZero(_ scalar: UnsafePointer<UInt8>) -> Bool { sodium_is_zero(scalar, OPRF.scalarLength) == 1 }

    /// DeserializeScalar of RFC 9497, in a time that reveals only the result.
    static func check(_ scalar: UnsafePointer<UInt8>) throws(OPRFError) {
        let isCanonical = withWipedScratch(3 * OPRF.scalarLength) { wide in
            let reduced = wide + 2 * OPRF.scalarLength
            wide.update(from: scalar, count: OPRF.scalarLength)
            crypto_core_ristretto255_scalar_reduce(reduced, wide)
            return sodium_memcmp(reduced, scalar, OPRF.scalarLength) == 0
        }
        guard isCanonical else { throw .notAScalar }
    }

    /// Checks a scalar that the caller gives as a key or a blind.
    static func checkSecret(_ scalar: UnsafePointer<UInt8>) throws(OPRFError) {
        try check(scalar)
        guard !isZero(scalar) else { throw .zeroScalar }
    }

    /// Random scalars, none of them zero. Each is reduced from 512 bits, so that the distribution is uniform (RFC 9497, 4.7.2).
    static func random(into scalars: UnsafeMutablePointer<UInt8>, count: Int) {
        let batch = 32
        withWipedScratch(2 * OPRF.scalarLength * batch) { wide in
            for start in stride(from: 0, to: count, by: batch) {
                let end = min(start + batch, count)
                randombytes_buf(wide, 2 * OPRF.scalarLength * (end - start))
                for index in start..<end {
                    let scalar = scalars + OPRF.scalarLength * index
                    let source = wide + 2 * OPRF.scalarLength * (index - start)
                    repeat {
                        crypto_core_ristretto255_scalar_reduce(scalar, source)
                        guard isZero(scalar) else { break }
                        randombytes_buf(source, 2 * OPRF.scalarLength)
                    } while true
                }
            }
        }
    }

    /// Inverts many scalars with one inversion and three multiplications for each (Montgomery's trick). No scalar may be zero.
    static func invert(
        _ scalars: UnsafePointer<UInt8>,
        count: Int,
        into inverses: UnsafeMutablePointer<UInt8>
    ) {
        guard count > 0 else { return }
        withWipedScratch(OPRF.scalarLength) { product in
            product[0] = 1
            for offset in stride(from: 0, to: OPRF.scalarLength * count, by: OPRF.scalarLength) {
                (inverses + offset).update(from: product, count: OPRF.scalarLength)
                crypto_core_ristretto255_scalar_mul(product, product, scalars + offset)
            }
            crypto_core_ristretto255_scalar_invert(product, product)
            // From here on `product` is the inverse of the product of all scalars up to the present one.
            for offset in stride(from: OPRF.scalarLength * (count - 1), through: 0, by: -OPRF.scalarLength) {
                crypto_core_ristretto255_scalar_mul(inverses + offset, inverses + offset, product)
                crypto_core_ristretto255_scalar_mul(product, product, scalars + offset)
            }
        }
    }
}
