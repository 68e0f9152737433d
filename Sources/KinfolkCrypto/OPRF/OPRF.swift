/// The oblivious pseudorandom function of RFC 9497: the client learns a keyed hash of each input, the server that has the
/// key learns neither inputs nor hashes.
///
/// Everything is done in batches, which lie in memory as they are sent: one element after the other. A batch is divided
/// among as many threads as the caller allows; few elements stay on the calling one. A call that fails leaves
/// nothing of the batch in the buffer that it was to fill.
package enum OPRF {
    package static let elementLength = 32
    package static let scalarLength = 32
    package static let outputLength = 64
    package static let proofLength = 2 * scalarLength

    /// A part is worth a thread from about half a millisecond; longer than this, one inversion for all its blinds is cheap
    /// enough.
    static let partSizes = 16...256
}
