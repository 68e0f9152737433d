package import KinfolkAccounts
import KinfolkCore
package import KinfolkModel
import KinfolkStorage

extension Container {
    /// Notes that a server has used a signature, so that it cannot be used again: in no process, and not after a restart.
    ///
    /// The note is deleted after `end`. From then on everything that ended before is refused, even if the clock goes back.
    ///
    /// - Parameters:
    ///   - r: The first number of an ECDSA signature, 32 bytes, which identifies it.
    ///   - end: Until when a request with this signature is accepted.
    /// - Returns: False if the signature was used before, if that is not known any more, or if the key was removed.
    package func noteSignature(
        _ r: [UInt8],
        of key: ServerKey,
        validUntil end: Timestamp
    ) throws(KinfolkError) -> Bool {
        guard r.count == 32 else {
            throw KinfolkError(.invalidArgument, "The first number of a signature has 32 bytes.")
        }
        return try service.write { db in
            try requireInUse(db)
            guard try ServerKeyTable.has(key.keyID, in: number, db) else { return false }
            return try UsedSignatureTable.insert(r, of: key.keyID, in: number, until: end, at: service.clock(), db)
        }
    }
}
