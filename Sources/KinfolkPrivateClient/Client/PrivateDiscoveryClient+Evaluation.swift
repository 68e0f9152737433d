package import KinfolkContacts
package import KinfolkCrypto
package import KinfolkModel

/// New contacts: the client blinds them, the server evaluates them, and the client unblinds the results.
extension PrivateDiscoveryClient {
    package var wantsProof: Bool { !publicKeys.isEmpty || bucketKey != nil }

    /// The new contacts, completed with fillers to the size of a batch; nil if there are none.
    mutating func newBatch() -> [ContactHash]? {
        var seen = Set<ContactHash>()
        var new: [ContactHash] = []
        book.withUnsafeHashes { hashes in
            for hash in hashes where known.positions[hash] == nil && seen.insert(hash).inserted { new.append(hash) }
        }
        guard !new.isEmpty else { return nil }
        let size = BatchSize.forContacts(new.count)
        if new.count > size { new.removeLast(new.count - size) }
        // If applications share the filler secret, a contact of this application may equal a filler.
        while new.count < size {
            let filler = known.makeFiller()
            if known.positions[filler] == nil && seen.insert(filler).inserted { new.append(filler) }
        }
        return new
    }

    package func blinded(_ hashes: [ContactHash]) throws(KinfolkError) -> (blinds: OPRFBlinds, points: [UInt8]) {
        let threads = threads
        var points = [UInt8](repeating: 0, count: OPRF.elementLength * hashes.count)
        do {
            let blinds = try hashes.withUnsafeBytes { hashes in
                try points.withUnsafeMutableBytes { points in
                    try OPRFBlinds(
                        blinding: OPRFInputs(hashes, length: ContactHash.byteCount),
                        mode: .voprf,
                        into: points,
                        threads: threads
                    )
                }
            }
            return (blinds, points)
        } catch { throw KinfolkError(error) }
    }

    package func blind(_ hashes: [ContactHash]) throws(KinfolkError) -> (message: [UInt8], kind: Pending) {
        let (blinds, points) = try blinded(hashes)
        let request = EvaluationRequest(epoch: known.epoch, id: .make(), wantsProof: wantsProof, points: points)
        return (request.message, .evaluation(id: request.id, hashes: hashes, blinds: blinds, points: points))
    }

    package mutating func take(
        _ evaluation: Evaluation,
        _ hashes: [ContactHash],
        _ blinds: OPRFBlinds,
        _ points: [UInt8]
    ) throws(KinfolkError) {
        try check(evaluation.points.count == points.count)
        if wantsProof {
            try verify(evaluation.proofs?.epoch, under: known.publicKey, points, evaluation.points)
            try verify(evaluation.proofs?.bucket, under: known.bucketKey, points, evaluation.bucketPoints)
        }
        var batch = try finalize(hashes, blinds, evaluation.points)
        var bucketBatch = try finalize(hashes, blinds, evaluation.bucketPoints)
        defer {
            batch.wipe()
            bucketBatch.wipe()
        }
        let buckets = bucketBatch.outputs.withUnsafeBytes { outputs in
            hashes.indices.map { index in
                let start = index * OPRF.outputLength
                return BucketPosition(
                    output: UnsafeRawBufferPointer(rebasing: outputs[start..<start + OPRF.outputLength])
                )
            }
        }
        for (hash, bucket) in zip(hashes, buckets) {
            guard let place = known.positions[hash] else { continue }
            try demand(known.contacts[place].position == bucket, .conflict)
        }
        known.take(batch, buckets, of: hashes)
        exposure.points += hashes.count
    }

    package func verify(
        _ proof: [UInt8]?,
        under key: [UInt8],
        _ points: [UInt8],
        _ evaluated: [UInt8]
    ) throws(KinfolkError) {
        guard let proof else {
            throw KinfolkError(.keyMismatch, "The server did not prove that it used the published key.")
        }
        let threads = threads
        do {
            let key = try key.withUnsafeBytes { try OPRFPublicKey(bytes: $0, mode: .voprf) }
            let parsed = try proof.withUnsafeBytes { try OPRFProof(bytes: $0) }
            try points.withUnsafeBytes { blinded in
                try evaluated.withUnsafeBytes { evaluated in
                    try key.verify(parsed, blinded: blinded, evaluated: evaluated, threads: threads)
                }
            }
        } catch { throw KinfolkError(error) }
    }

    package func finalize(
        _ hashes: [ContactHash],
        _ blinds: OPRFBlinds,
        _ evaluated: [UInt8]
    ) throws(KinfolkError) -> ClientState.Batch {
        let threads = threads
        var batch = ClientState.Batch(count: hashes.count)
        do {
            try hashes.withUnsafeBytes { hashes in
                try evaluated.withUnsafeBytes { evaluated in
                    try batch.outputs.withUnsafeMutableBytes { outputs in
                        try batch.elements.withUnsafeMutableBytes { elements in
                            try blinds.finalize(
                                OPRFInputs(hashes, length: ContactHash.byteCount),
                                evaluated: evaluated,
                                into: outputs,
                                unblinded: elements,
                                threads: threads
                            )
                        }
                    }
                }
            }
        } catch { throw KinfolkError(error) }
        return batch
    }
}
