import KinfolkCrypto
package import KinfolkModel

/// Message 3: blinded contact hashes to evaluate under the key of an epoch and under the bucket key.
package struct EvaluationRequest {
    package let epoch: UInt32
    package let id: RequestID
    package let wantsProof: Bool
    /// 32 bytes each.
    package let points: [UInt8]

    package var count: Int { points.count / OPRF.elementLength }

    /// The work of an answer, in multiplications of a point: each point is multiplied by two keys, and a proof costs about the
    /// same again.
    package var multiplications: Int { wantsProof ? 4 * count : 2 * count }

    package var message: [UInt8] {
        var writer = BytesWriter(.evaluationRequest, epoch: epoch, capacity: 64 + points.count)
        writer.append(id.bytes)
        writer.append(UInt8(wantsProof ? 1 : 0))
        writer.append(UInt16(count))
        writer.append(points)
        return writer.bytes
    }

    package init(epoch: UInt32, id: RequestID, wantsProof: Bool, points: [UInt8]) {
        self.epoch = epoch
        self.id = id
        self.wantsProof = wantsProof
        self.points = points
    }

    package init(_ reader: inout MessageReader) throws(KinfolkError) {
        epoch = reader.epoch
        id = try RequestID(&reader)
        wantsProof = try reader.flag()
        let count = try reader.batchSize()
        points = Array(try reader.take(count * OPRF.elementLength))
        try reader.finish()
    }
}
