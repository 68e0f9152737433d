import CSodium

/// HashToScalar of RFC 9497 (section 4.1).
struct ScalarHasher: Sendable {
    private let expander: MessageExpander

    init(_ mode: OPRFMode) { self.init(tag: mode.tag("HashToScalar-")) }

    init(tag: [UInt8]) { expander = MessageExpander(tag: tag) }

    func hash(into scalar: UnsafeMutablePointer<UInt8>, _ message: (inout SHA512) -> Void) {
        withWipedScratch(MessageExpander.length) { wide in
            expander.expand(into: wide, message)
            crypto_core_ristretto255_scalar_reduce(scalar, wide)
        }
    }
}
