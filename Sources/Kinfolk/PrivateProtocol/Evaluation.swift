import KinfolkCrypto

/// Message 4: the evaluations of the points of a request under the epoch's key and under the bucket key, and proofs that the
/// server used these keys, if they were requested.
struct Evaluation {
    /// A proof under each key.
    struct Proofs {
        let epoch: [UInt8]
        let bucket: [UInt8]
    }

    let epoch: UInt32
    let id: RequestID
    /// The evaluations under the epoch's key, 32 bytes each.
    let points: [UInt8]
    /// The evaluations under the bucket key, 32 bytes each.
    let bucketPoints: [UInt8]
    let proofs: Proofs?

    init(epoch: UInt32, id: RequestID, points: [UInt8], bucketPoints: [UInt8], proofs: Proofs?) {
        self.epoch = epoch
        self.id = id
        self.points = points
        self.bucketPoints = bucketPoints
        self.proofs = proofs
    }

    var message: [UInt8] {
        var writer = BytesWriter(.evaluation, epoch: epoch, capacity: 192 + 2 * points.count)
        writer.append(id.bytes)
        writer.append(UInt8(proofs == nil ? 0 : 1))
        writer.append(UInt16(clamping: points.count / OPRF.elementLength))
        writer.append(points)
        writer.append(bucketPoints)
        if let proofs {
            writer.append(proofs.epoch)
            writer.append(proofs.bucket)
        }
        return writer.bytes
    }

    init(_ reader: inout MessageReader) throws(KinfolkError) {
        epoch = reader.epoch
        id = try RequestID(&reader)
        let hasProofs = try reader.flag()
        let count = Int(try reader.number(UInt16.self))
        points = Array(try reader.take(count * OPRF.elementLength))
        bucketPoints = Array(try reader.take(count * OPRF.elementLength))
        proofs =
            hasProofs
            ? Proofs(epoch: Array(try reader.take(OPRF.proofLength)), bucket: Array(try reader.take(OPRF.proofLength)))
            : nil
        try reader.finish()
    }
}
