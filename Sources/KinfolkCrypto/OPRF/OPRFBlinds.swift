import CSodium
import KinfolkThreads

/// What the client keeps of a batch between its request and the answer: a secret number for each input.
package struct OPRFBlinds: Sendable {
    package let mode: OPRFMode
    package let count: Int
    private let scalars: SecretBytes

    /// Blind: writes an element of 32 bytes for each input, which tells the server nothing about it.
    package init(
        blinding inputs: OPRFInputs,
        mode: OPRFMode,
        into blinded: UnsafeMutableRawBufferPointer,
        threads: Int = 1
    ) throws(OPRFError) {
        try self.init(blinding: inputs, with: nil, mode: mode, into: blinded, threads: threads)
    }

    /// The same with blinds that are given, as in published vectors. Who chooses them knows how to undo them.
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

    /// Finalize: from what the server made of the blinded elements to an output of 64 bytes for each input. Give the inputs
    /// that were blinded, in the same order.
    ///
    /// That the server used its published key is for ``OPRFPublicKey/verify(_:blinded:evaluated:threads:)`` to say before.
    ///
    /// - Parameter unblinded: Room for the evaluated elements without their blinds, 32 bytes each, if they are wanted: by them a
    ///   client shows later that it had the server evaluate an input.
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
                    // One element more, for the one in hand.
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

    /// Multiplies other elements by the same blinds: those that an evaluation gave for the same inputs, say.
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
