/// The oblivious pseudorandom function of RFC 9497: the client learns a keyed hash of each input, the server that has the
/// key learns neither inputs nor hashes.
///
/// All functions work on batches, which are in memory as they are sent: one element after the other. A batch is divided
/// among as many threads as the caller allows; a small batch stays on the calling thread. A call that fails wipes its output
/// buffer.
package enum OPRF {
    package static let elementLength = 32
    package static let scalarLength = 32
    package static let outputLength = 64
    package static let proofLength = 2 * scalarLength

    /// A part that takes less than about half a millisecond is not worth a thread. In a part of the largest size, the one
    /// inversion for all its blinds costs little.
    static let partSizes = 16...256
}
