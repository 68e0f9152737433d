import KinfolkCrypto
package import KinfolkModel

/// Message 8: the evaluations of the points of a renewal, and a proof that the server used the epoch's key, if it was requested.
package struct Renewal {
    package let epoch: UInt32
    package let id: RequestID
    /// 32 bytes each.
    package let points: [UInt8]
    package let proof: [UInt8]?

    package init(epoch: UInt32, id: RequestID, points: [UInt8], proof: [UInt8]?) {
        self.epoch = epoch
        self.id = id
        self.points = points
        self.proof = proof
    }

    package var message: [UInt8] {
        var writer = BytesWriter(.renewal, epoch: epoch, capacity: 128 + points.count)
        writer.append(id.bytes)
        writer.append(UInt8(proof == nil ? 0 : 1))
        writer.append(UInt16(clamping: points.count / OPRF.elementLength))
        writer.append(points)
        if let proof { writer.append(proof) }
        return writer.bytes
    }

    package init(_ reader: inout MessageReader) throws(KinfolkError) {
        epoch = reader.epoch
        id = try RequestID(&reader)
        let hasProof = try reader.flag()
        let count = Int(try reader.number(UInt16.self))
        points = Array(try reader.take(count * OPRF.elementLength))
        proof = hasProof ? Array(try reader.take(OPRF.proofLength)) : nil
        try reader.finish()
    }
}
