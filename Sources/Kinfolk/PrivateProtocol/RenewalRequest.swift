import KinfolkCrypto

/// Message 7: blinded contact hashes that were evaluated in another epoch, to be evaluated in this one for nothing.
///
/// For each hash it has two points: the hash's element, and what the other epoch's key made of it, both multiplied by the same
/// new blind. Only a client that had the hash evaluated can make the second one.
struct RenewalRequest {
    let epoch: UInt32
    let id: RequestID
    let wantsProof: Bool
    /// In which the hashes were evaluated.
    let paidEpoch: UInt32
    /// 32 bytes each.
    let points: [UInt8]
    /// 32 bytes each.
    let receipts: [UInt8]

    var count: Int { points.count / OPRF.elementLength }

    /// How much work it is to answer, in multiplications of a point: by the key of before, by the new one, and a proof.
    var multiplications: Int { wantsProof ? 3 * count : 2 * count }

    var message: [UInt8] {
        var writer = BytesWriter(.renewalRequest, epoch: epoch, capacity: 64 + 2 * points.count)
        writer.append(id.bytes)
        writer.append(UInt8(wantsProof ? 1 : 0))
        writer.append(UInt16(clamping: count))
        writer.append(paidEpoch)
        writer.append(points)
        writer.append(receipts)
        return writer.bytes
    }

    init(epoch: UInt32, id: RequestID, wantsProof: Bool, paidEpoch: UInt32, points: [UInt8], receipts: [UInt8]) {
        self.epoch = epoch
        self.id = id
        self.wantsProof = wantsProof
        self.paidEpoch = paidEpoch
        self.points = points
        self.receipts = receipts
    }

    init(_ reader: inout MessageReader) throws(KinfolkError) {
        epoch = reader.epoch
        id = try RequestID(&reader)
        wantsProof = try reader.flag()
        let count = try reader.batchSize()
        paidEpoch = try reader.number()
        guard paidEpoch > 0, paidEpoch != epoch else {
            throw MessageReader.malformed("A renewal is of contacts that were evaluated in another epoch.")
        }
        points = Array(try reader.take(count * OPRF.elementLength))
        receipts = Array(try reader.take(count * OPRF.elementLength))
        try reader.finish()
    }
}
