import KinfolkCrypto

/// Message 4: what the server made of the points of a request, and a proof that it used the epoch's key if one was asked for.
struct Evaluation {
    let epoch: UInt32
    let id: RequestID
    /// 32 bytes each.
    let points: [UInt8]
    let proof: [UInt8]?

    init(epoch: UInt32, id: RequestID, points: [UInt8], proof: [UInt8]?) {
        self.epoch = epoch
        self.id = id
        self.points = points
        self.proof = proof
    }

    var message: [UInt8] {
        var writer = BytesWriter(.evaluation, epoch: epoch, capacity: 128 + points.count)
        writer.append(id.bytes)
        writer.append(UInt8(proof == nil ? 0 : 1))
        writer.append(UInt16(points.count / OPRF.elementLength))
        writer.append(points)
        if let proof { writer.append(proof) }
        return writer.bytes
    }

    init(_ reader: inout MessageReader) throws(KinfolkError) {
        epoch = reader.epoch
        id = try RequestID(&reader)
        let flags = try reader.number(UInt8.self)
        guard flags <= 1 else { throw MessageReader.malformed("The message has flags that are not known.") }
        let count = Int(try reader.number(UInt16.self))
        points = Array(try reader.take(count * OPRF.elementLength))
        proof = flags == 1 ? Array(try reader.take(OPRF.proofLength)) : nil
        try reader.finish()
    }
}
