import CSodium

/// Elements of ristretto255 (RFC 9496), as their 32 bytes.
enum Element {
    static func isIdentity(_ element: UnsafePointer<UInt8>) -> Bool {
        sodium_is_zero(element, OPRF.elementLength) == 1
    }

    /// libsodium 1.0.18 ignores the highest bit, and so accepts a second encoding of each element.
    private static func hasHighestBit(_ element: UnsafePointer<UInt8>) -> Bool {
        element[OPRF.elementLength - 1] & 0x80 != 0
    }

    /// DeserializeElement of RFC 9497: throws if 32 bytes from the other side are not a valid element.
    static func check(_ element: UnsafePointer<UInt8>) throws(OPRFError) {
        guard !isIdentity(element) else { throw .identity }
        guard !hasHighestBit(element), crypto_core_ristretto255_is_valid_point(element) == 1 else {
            throw .notAnElement
        }
    }

    /// Multiplies an element from the other side, in a time that does not depend on the scalar. The scalar is not zero.
    static func multiply(
        _ element: UnsafePointer<UInt8>,
        by scalar: UnsafePointer<UInt8>,
        into product: UnsafeMutablePointer<UInt8>
    ) throws(OPRFError) {
        guard !hasHighestBit(element) else { throw .notAnElement }
        // The function itself refuses other invalid elements. The group's order is prime: only the identity gives the identity.
        guard crypto_scalarmult_ristretto255(product, scalar, element) != 0 else { return }
        throw isIdentity(element) ? .identity : .notAnElement
    }

    /// Multiplies an element that an input was hashed to.
    static func multiplyHashed(
        _ element: UnsafePointer<UInt8>,
        by scalar: UnsafePointer<UInt8>,
        into product: UnsafeMutablePointer<UInt8>
    ) throws(OPRFError) {
        guard crypto_scalarmult_ristretto255(product, scalar, element) == 0 else { throw .unusableInput }
    }

    /// left·x + right·y, for checked elements, in a time that does not depend on the scalars. Without x, the generator is used. The
    /// sum, the products and the elements may be the identity.
    static func combine(
        _ left: UnsafePointer<UInt8>,
        _ x: UnsafePointer<UInt8>?,
        _ right: UnsafePointer<UInt8>,
        _ y: UnsafePointer<UInt8>,
        into sum: UnsafeMutablePointer<UInt8>
    ) {
        withWipedScratch(2 * OPRF.elementLength) { products in
            let second = products + OPRF.elementLength
            // These functions report a failure if the product is the identity, but they have written it correctly.
            if let x {
                _ = crypto_scalarmult_ristretto255(products, left, x)
            } else {
                _ = crypto_scalarmult_ristretto255_base(products, left)
            }
            _ = crypto_scalarmult_ristretto255(second, right, y)
            crypto_core_ristretto255_add(sum, products, second)
        }
    }

    /// The last step of Finalize and of Evaluate: the output for an input and its element.
    static func output(
        of input: UnsafeRawBufferPointer,
        _ element: UnsafePointer<UInt8>,
        into output: UnsafeMutablePointer<UInt8>
    ) {
        var hash = SHA512()
        hash.update(counted: input)
        hash.update(counted: element, count: OPRF.elementLength)
        hash.update("Finalize")
        hash.finish(into: output)
    }
}
