import KinfolkCrypto
package import KinfolkModel

/// Message 7: blinded contact hashes that were evaluated in another epoch, to evaluate in this one without permits.
///
/// For each hash it has two points, both multiplied by the same new blind: the element of the hash, and the evaluation of this
/// element by the other epoch's key. Only a client that had the hash evaluated can compute the second one.
package struct RenewalRequest {
    package let epoch: UInt32
    package let id: RequestID
    package let wantsProof: Bool
    /// The epoch in which the hashes were evaluated.
    package let paidEpoch: UInt32
    /// 32 bytes each.
    package let points: [UInt8]
    /// 32 bytes each.
    package let receipts: [UInt8]

    package var count: Int { points.count / OPRF.elementLength }

    /// The work of an answer, in multiplications of a point: by the old key, by the new key, and for a proof.
    package var multiplications: Int { wantsProof ? 3 * count : 2 * count }

    package var message: [UInt8] {
        var writer = BytesWriter(.renewalRequest, epoch: epoch, capacity: 64 + 2 * points.count)
        writer.append(id.bytes)
        writer.append(UInt8(wantsProof ? 1 : 0))
        writer.append(UInt16(clamping: count))
        writer.append(paidEpoch)
        writer.append(points)
        writer.append(receipts)
        return writer.bytes
    }

    package init(epoch: UInt32, id: RequestID, wantsProof: Bool, paidEpoch: UInt32, points: [UInt8], receipts: [UInt8])
    {
        self.epoch = epoch
        self.id = id
        self.wantsProof = wantsProof
        self.paidEpoch = paidEpoch
        self.points = points
        self.receipts = receipts
    }

    package init(_ reader: inout MessageReader) throws(KinfolkError) {
        epoch = reader.epoch
        id = try RequestID(&reader)
        wantsProof = try reader.flag()
        let count = try reader.batchSize()
        paidEpoch = try reader.number()
        guard paidEpoch > 0, paidEpoch != epoch else {
            throw MessageReader.malformed("A renewal must name another epoch, in which its contacts were evaluated.")
        }
        points = Array(try reader.take(count * OPRF.elementLength))
        receipts = Array(try reader.take(count * OPRF.elementLength))
        try reader.finish()
    }
}
