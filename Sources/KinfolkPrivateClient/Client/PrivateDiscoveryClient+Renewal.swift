package import KinfolkCrypto
package import KinfolkModel

/// Contacts that were paid for in an earlier epoch: the server evaluates them in the current one without permits.
extension PrivateDiscoveryClient {
    /// Requests the renewal of contacts that were paid for in another epoch. Both points of a contact are blinded with the same
    /// new blind, so the server can check them with its old key, and recognises no point that it has seen before. Nil if the
    /// state has invalid points, which happens only if it was made up.
    package func renew(_ places: [Int]) throws(KinfolkError) -> (message: [UInt8], kind: Pending)? {
        let (blinds, points) = try blinded(places.map { known.contacts[$0].hash })
        var receipts = [UInt8](repeating: 0, count: points.count)
        let elements = places.flatMap { known.element(of: $0) }
        let threads = threads
        do {
            try elements.withUnsafeBytes { elements in
                try receipts.withUnsafeMutableBytes { try blinds.blind(elements, into: $0, threads: threads) }
            }
        } catch { return nil }
        let request = RenewalRequest(
            epoch: known.epoch,
            id: .make(),
            wantsProof: wantsProof,
            paidEpoch: places.first.map { known.contacts[$0].epoch } ?? 0,
            points: points,
            receipts: receipts
        )
        return (request.message, .renewal(id: request.id, places: places, blinds: blinds, points: points))
    }

    package mutating func take(
        _ renewal: Renewal,
        _ places: [Int],
        _ blinds: OPRFBlinds,
        _ points: [UInt8]
    ) throws(KinfolkError) {
        try check(renewal.points.count == points.count)
        if wantsProof { try verify(renewal.proof, under: known.publicKey, points, renewal.points) }
        var batch = try finalize(places.map { known.contacts[$0].hash }, blinds, renewal.points)
        defer { batch.wipe() }
        known.renew(batch, of: places)
        exposure.renewals += places.count
    }
}
