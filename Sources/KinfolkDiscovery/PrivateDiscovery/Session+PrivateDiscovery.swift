public import KinfolkAccounts
public import KinfolkContacts
import KinfolkCore
import KinfolkCrypto
public import KinfolkModel
import KinfolkPrivateClient
import KinfolkStorage
import KinfolkThreads

/// The server's side of private discovery.
extension Session {
    /// Answers one request of a ``PrivateDiscoveryClient``, for the session's person.
    ///
    /// Each point of a batch costs a permit, including fillers, which cannot be distinguished from contacts. A contact in
    /// another batch is charged again. Contacts that were paid for in one epoch are renewed in another without permits: the
    /// client proves that it has their evaluations by the other epoch's key. Buckets cost no permits. The server's work for a
    /// person is also limited: see ``PrivateWorkLimit``. The multiplications of a batch or a renewal are charged before they
    /// are done, and remain charged if the request is refused. Buckets cost as many rows as were read, including rows that the
    /// client already has. The answer contains neither the person nor people whom a block hides from the person.
    ///
    /// - Parameters:
    ///   - request: The message, as received.
    ///   - threads: The number of threads for computing; 0 for the number of cores.
    /// - Returns: The message to send back.
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if the message is malformed or not a request,
    ///   ``KinfolkError/Code/unknownItem`` if the container has no private directory, or none of this epoch,
    ///   ``KinfolkError/Code/conflict`` if prefixes have more bits than the directory has now,
    ///   ``KinfolkError/Code/permissionFailure`` if a contact of a renewal was not paid for, ``KinfolkError/Code/storeCorrupt``
    ///   if a row of the directory was edited without the key, ``KinfolkError/Code/limitExceeded`` if the person can never hold
    ///   that many permits, multiplications or rows, or the answer would exceed 64 MiB, ``KinfolkError/Code/requestRateLimited``
    ///   if fewer are left now, ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing. In these
    ///   cases no permit is spent.
    public func answer(_ request: [UInt8], threads: Int = 1) throws(KinfolkError) -> [UInt8] {
        var reader = try MessageReader(request)
        switch reader.type {
        case .descriptionRequest:
            guard reader.epoch == 0 else {
                throw MessageReader.malformed("A request for a description must not name an epoch.")
            }
            try reader.finish()
            let description = try service.read(describe)
            // Each discovery begins with this request.
            note(.discovery)
            return description.message
        case .evaluationRequest:
            return try evaluate(EvaluationRequest(&reader), threads: threads > 0 ? threads : Parallel.coreCount).message
        case .renewalRequest:
            return try renew(RenewalRequest(&reader), threads: threads > 0 ? threads : Parallel.coreCount).message
        case .bucketRequest:
            return try buckets(BucketRequest(&reader))
        case .description, .evaluation, .buckets, .renewal:
            throw MessageReader.malformed("The message is an answer, not a request.")
        }
    }

    // MARK: Description

    private func describe(_ db: Connection) throws -> DirectoryDescription {
        _ = try userInGoodStanding(db)
        let directories = try service.directories(ofContainer: container.number, in: db)
        guard let bucketKey = directories.answering.first?.bucketKey else { throw Container.noPrivateDirectory }
        var epochs = try directories.answering.map { directory in
            DirectoryDescription.Epoch(
                number: directory.epoch,
                state: .answering,
                prefixBits: try prefixBits(of: directory.epoch, db),
                publicKey: directory.key.publicKey.bytes
            )
        }
        let building = directories.privateOnes.filter { !$0.isComplete }.map { directory in
            ContainerDirectories.PublicEpoch(epoch: directory.epoch, publicKey: directory.key.publicKey.bytes)
        }
        for (others, state) in [
            (building + [directories.announced].compactMap(\.self), DirectoryDescription.State.announced),
            (directories.ended, .ended),
        ] {
            epochs += try others.map { other in
                try DirectoryDescription.Epoch(
                    number: other.epoch,
                    state: state,
                    prefixBits: .none,
                    publicKey: DirectoryEpochTable.checked(publicKey: other.publicKey)
                )
            }
        }
        epochs.sort { $0.number > $1.number }
        return DirectoryDescription(
            bucketKey: bucketKey.publicKey.bytes,
            Array(epochs.prefix(DirectoryDescription.limit))
        )
    }

    private func prefixBits(of epoch: UInt32, _ db: Connection) throws -> PrefixBits {
        if let wanted = try ContainerTable.prefixBits(of: container.number, db) { return wanted }
        return try DirectoryEpochTable.row(epoch, of: container.number, db)?.prefixBits ?? .none
    }

    private func directory(_ epoch: UInt32, _ db: Connection) throws -> PrivateDirectory {
        let answering = try service.directories(ofContainer: container.number, in: db).answering
        guard !answering.isEmpty else { throw Container.noPrivateDirectory }
        guard let directory = answering.first(where: { $0.epoch == epoch }) else {
            throw KinfolkError(.unknownItem, "This epoch does not exist, or was ended. Begin the discovery again.")
        }
        return directory
    }

    // MARK: Evaluation

    private func evaluate(_ request: EvaluationRequest, threads: Int) throws(KinfolkError) -> Evaluation {
        let answering = try service.read { db -> PrivateDirectory in
            _ = try userInGoodStanding(db)
            return try directory(request.epoch, db)
        }
        return try spending(request.count) { () throws(KinfolkError) in
            // Charged before the work, and not given back: a batch that is refused because of one of its points has cost work
            // too.
            try charge(request.multiplications, of: .multiplications)
            let (points, proof) = try Session.evaluate(
                request.points,
                with: answering.key,
                proving: request.wantsProof,
                threads: threads
            )
            let (bucketPoints, bucketProof) = try Session.evaluate(
                request.points,
                with: answering.bucketKey,
                proving: request.wantsProof,
                threads: threads
            )
            return Evaluation(
                epoch: request.epoch,
                id: request.id,
                points: points,
                bucketPoints: bucketPoints,
                proofs: proof.flatMap { proof in bucketProof.map { Evaluation.Proofs(epoch: proof, bucket: $0) } }
            )
        }
    }

    private static func evaluate(
        _ blinded: [UInt8],
        with key: OPRFKey,
        proving: Bool,
        threads: Int
    ) throws(KinfolkError) -> (points: [UInt8], proof: [UInt8]?) {
        var points = [UInt8](repeating: 0, count: blinded.count)
        do {
            let proof = try blinded.withUnsafeBytes { blinded in
                try points.withUnsafeMutableBytes { points in
                    try key.blindEvaluate(blinded, into: points, threads: threads)
                    return proving
                        ? try key.prove(blinded: blinded, evaluated: UnsafeRawBufferPointer(points), threads: threads)
                            .bytes
                        : nil
                }
            }
            return (points, proof)
        } catch { throw KinfolkError(error) }
    }

    // MARK: Renewal

    private func renew(_ request: RenewalRequest, threads: Int) throws(KinfolkError) -> Renewal {
        let (answering, paid) = try service.read { db -> (PrivateDirectory, OPRFKey) in
            _ = try userInGoodStanding(db)
            return (try directory(request.epoch, db), try receiptKey(request.paidEpoch, db))
        }
        try charge(request.multiplications, of: .multiplications)
        // If the old key does not map a point to its receipt, the contact was not paid for.
        let (expected, _) = try Session.evaluate(request.points, with: paid, proving: false, threads: threads)
        guard ConstantTime.equal(expected, request.receipts) else {
            throw KinfolkError(.permissionFailure, "Not all contacts of the renewal were paid for in that epoch.")
        }
        let (points, proof) = try Session.evaluate(
            request.points,
            with: answering.key,
            proving: request.wantsProof,
            threads: threads
        )
        return Renewal(epoch: request.epoch, id: request.id, points: points, proof: proof)
    }

    /// The key of the epoch in which contacts were paid for; the epoch may answer or have ended.
    private func receiptKey(_ epoch: UInt32, _ db: Connection) throws -> OPRFKey {
        let directories = try service.directories(ofContainer: container.number, in: db)
        if let directory = directories.answering.first(where: { $0.epoch == epoch }) { return directory.key }
        guard let key = try directories.receiptKey(epoch, of: container, db) else {
            throw KinfolkError(
                .unknownItem,
                "It is no longer known what was paid for in that epoch of the private directory."
            )
        }
        return key
    }

    // MARK: Buckets

    private func buckets(_ request: BucketRequest) throws(KinfolkError) -> [UInt8] {
        let expected = try service.read { db in try expectedRows(request, db) }
        return try metering(rows: expected) { (meter) throws(KinfolkError) in
            try service.read { db in try buckets(request, meter, db) }
        }
    }

    /// The average number of rows in the buckets, plus one for each bucket.
    private func expectedRows(_ request: BucketRequest, _ db: Connection) throws -> Int {
        _ = try userInGoodStanding(db)
        let directory = try directory(request.epoch, db)
        let total = min(try DirectoryCountTable.total(of: directory.epoch, in: container.number, db), 1 << 40)
        let buckets = request.buckets.count
        return buckets + (total * buckets) >> request.prefixBits.count
    }

    private func buckets(_ request: BucketRequest, _ meter: RowMeter, _ db: Connection) throws -> [UInt8] {
        let user = try userInGoodStanding(db)
        let directory = try directory(request.epoch, db)
        guard try request.prefixBits.count <= prefixBits(of: directory.epoch, db).count else {
            throw KinfolkError(.conflict, "The directory uses fewer prefix bits now. Begin the discovery again.")
        }
        meter.allow(Int(clamping: try left(of: .rows, db) / Limit.unit))
        try meter.count(request.buckets.count)
        var hidden = try BlockTable.hidden(from: user.record, in: container.number, db)
        hidden.insert(user.record)
        let search = try PrivateDirectoryTable.Search(directory, in: container.number, except: hidden, db)
        defer { search.finish(db) }
        var writer = BucketsWriter(answering: request)
        try search.forEachBucket(of: request.buckets.map(\.prefix)) { index in
            try writer.add(index, known: request.buckets[index].version) { writer in
                try search.forEachRows(counting: meter.count) { try writer.add($0) }
            }
        }
        return writer.message
    }

    // MARK: Client and server in one process

    /// Finds the people in a contact book through the private directory, with client and server in this process: for tests, and
    /// for hosts that the person trusts.
    ///
    /// - Parameters:
    ///   - book: The contacts.
    ///   - state: The ``Discovery/syncState`` of an earlier private discovery, or nothing. It is the state of a client: protect
    ///     it like the address book.
    ///   - threads: The number of threads for computing; 0 for the number of cores.
    /// - Throws: The errors of `answer(_:threads:)` and ``PrivateDiscoveryClient``.
    public func discoverPrivately(
        _ book: ContactBook,
        state: [UInt8] = [],
        threads: Int = 0
    ) throws(KinfolkError) -> Discovery {
        var client = try PrivateDiscoveryClient(container: container.name, state: state, threads: threads)
        client.setContacts(book)
        while let request = try client.nextRequest() { try client.receive(answer(request, threads: threads)) }
        let matches = client.matches
        let identities = try service.read { db in
            let search = try search(db)
            return try matches.compactMap { match in
                try search.find(match.userRecordID, db).map { identity in
                    DiscoveredIdentity(
                        userRecordID: identity.userRecordID,
                        name: identity.name,
                        contacts: match.contacts
                    )
                }
            }
        }
        return Discovery(identities: identities, syncState: client.state)
    }
}
