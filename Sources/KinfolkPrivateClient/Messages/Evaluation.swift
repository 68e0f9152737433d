import KinfolkCrypto
package import KinfolkModel

/// Message 4: the evaluations of the points of a request under the epoch's key and under the bucket key, and proofs that the
/// server used these keys, if they were requested.
package struct Evaluation {
    /// A proof under each key.
    package struct Proofs {
        package let epoch: [UInt8]
        package let bucket: [UInt8]

        package init(epoch: [UInt8], bucket: [UInt8]) {
            self.epoch = epoch
            self.bucket = bucket
        }
    }

    package let epoch: UInt32
    package let id: RequestID
    /// The evaluations under the epoch's key, 32 bytes each.
    package let points: [UInt8]
    /// The evaluations under the bucket key, 32 bytes each.
    package let bucketPoints: [UInt8]
    package let proofs: Proofs?

    package init(epoch: UInt32, id: RequestID, points: [UInt8], bucketPoints: [UInt8], proofs: Proofs?) {
        self.epoch = epoch
        self.id = id
        self.points = points
        self.bucketPoints = bucketPoints
        self.proofs = proofs
    }

    package var message: [UInt8] {
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

    package init(_ reader: inout MessageReader) throws(KinfolkError) {
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
