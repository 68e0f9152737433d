import CSodium
import KinfolkThreads

/// The client's secrets of a batch between its request and the answer: a secret number for each input.
package struct OPRFBlinds: Sendable {
    package let mode: OPRFMode
    package let count: Int
    private let scalars: SecretBytes

    /// Blind: writes an element of 32 bytes for each input. The element reveals nothing about the input to the server.
    package init(
        blinding inputs: OPRFInputs,
        mode: OPRFMode,
        into blinded: UnsafeMutableRawBufferPointer,
        threads: Int = 1
    ) throws(OPRFError) {
        try self.init(blinding: inputs, with: nil, mode: mode, into: blinded, threads: threads)
    }

    /// Blind with given blinds, for published test vectors. The party that chooses the blinds can undo them.
    package init(
        blinding inputs: OPRFInputs,
        with given: UnsafeRawBufferPointer?,
        mode: OPRFMode,
        into blinded: UnsafeMutableRawBufferPointer,
        threads: Int = 1
    ) throws(OPRFError) {
        let count = inputs.count
        let elements = try WritableRows(blinded, count: count, length: OPRF.elementLength)
        let given = try given.map { (given) throws(OPRFError) in
            try Rows(given, count: count, length: OPRF.scalarLength)
        }
        var failure: OPRFError?
        let scalars = try? SecretBytes(count: OPRF.scalarLength * count) { memory in
            do throws(OPRFError) {
                let scalars = try WritableRows(memory, count: count, length: OPRF.scalarLength)
                let hasher = ElementHasher(mode)
                try Parallel.forEachPart(of: count, sizes: OPRF.partSizes, threads: threads) {
                    (part) throws(OPRFError) in
                    if let given {
                        for index in part {
                            try Scalar.checkSecret(given[index])
                            scalars[index].update(from: given[index], count: OPRF.scalarLength)
                        }
                    } else {
                        Scalar.random(into: scalars[part.lowerBound], count: part.count)
                    }
                    for index in part {
                        try hasher.hash(inputs[index], by: scalars[index], into: elements[index])
                    }
                }
            } catch { failure = error }
        }
        if let failure {
            wipe(blinded)
            throw failure
        }
        guard let scalars else { throw .unavailable }
        self.mode = mode
        self.count = count
        self.scalars = scalars
    }

    /// Finalize: computes an output of 64 bytes for each input from the elements that the server evaluated. Give the inputs that
    /// were blinded, in the same order.
    ///
    /// Call ``OPRFPublicKey/verify(_:blinded:evaluated:threads:)`` before, to check that the server used its published key.
    ///
    /// - Parameter unblinded: Optional memory for the evaluated elements without their blinds, 32 bytes each. With them a client
    ///   can prove later that the server evaluated an input for it.
    package func finalize(
        _ inputs: OPRFInputs,
        evaluated: UnsafeRawBufferPointer,
        into outputs: UnsafeMutableRawBufferPointer,
        unblinded: UnsafeMutableRawBufferPointer? = nil,
        threads: Int = 1
    ) throws(OPRFError) {
        guard inputs.count == count else { throw .wrongCount }
        let elements = try Rows(evaluated, count: count, length: OPRF.elementLength)
        let results = try WritableRows(outputs, count: count, length: OPRF.outputLength)
        let kept = try unblinded.map { (unblinded) throws(OPRFError) in
            try WritableRows(unblinded, count: count, length: OPRF.elementLength)
        }
        do {
            try scalars.withUnsafeBytes { (memory) throws(OPRFError) in
                let scalars = try Rows(memory, count: count, length: OPRF.scalarLength)
                try Parallel.forEachPart(of: count, sizes: OPRF.partSizes, threads: threads) {
                    (part) throws(OPRFError) in
                    // Scratch memory for one more element: the one being processed.
                    try withWipedScratch(OPRF.scalarLength * (part.count + 1)) { (scratch) throws(OPRFError) in
                        let inverses = scratch + OPRF.elementLength
                        Scalar.invert(scalars[part.lowerBound], count: part.count, into: inverses)
                        for index in part {
                            let inverse = inverses + OPRF.scalarLength * (index - part.lowerBound)
                            try Element.multiply(elements[index], by: inverse, into: scratch)
                            Element.output(of: inputs[index], scratch, into: results[index])
                            kept?[index].update(from: scratch, count: OPRF.elementLength)
                        }
                    }
                }
            }
        } catch {
            wipe(outputs)
            if let unblinded { wipe(unblinded) }
            throw error
        }
    }

    /// Multiplies other elements by the same blinds, for example the results of an evaluation of the same inputs.
    package func blind(
        _ elements: UnsafeRawBufferPointer,
        into blinded: UnsafeMutableRawBufferPointer,
        threads: Int = 1
    ) throws(OPRFError) {
        let elements = try Rows(elements, count: count, length: OPRF.elementLength)
        let products = try WritableRows(blinded, count: count, length: OPRF.elementLength)
        do {
            try scalars.withUnsafeBytes { (memory) throws(OPRFError) in
                let scalars = try Rows(memory, count: count, length: OPRF.scalarLength)
                try Parallel.forEachPart(of: count, sizes: OPRF.partSizes, threads: threads) {
                    (part) throws(OPRFError) in
                    for index in part {
                        try Element.multiply(elements[index], by: scalars[index], into: products[index])
                    }
                }
            }
        } catch {
            wipe(blinded)
            throw error
        }
    }
}
