/// The elements that a proof covers.
struct OPRFBatch: Sendable {
    let count: Int
    let blinded: Rows
    let evaluated: Rows

    init(blinded: UnsafeRawBufferPointer, evaluated: UnsafeRawBufferPointer) throws(OPRFError) {
        count = try Rows.count(in: blinded, length: OPRF.elementLength)
        self.blinded = try Rows(blinded, count: count, length: OPRF.elementLength)
        self.evaluated = try Rows(evaluated, count: count, length: OPRF.elementLength)
        guard count > 0 else { throw .nothingToProve }
        // The index of an element has two bytes.
        guard count <= Int(UInt16.max) else { throw .tooManyToProve }
    }
}
