import KinfolkCrypto
import KinfolkStorage
import KinfolkThreads

/// The server's half of private discovery.
extension Session {
    /// Answers one request of a ``PrivateDiscoveryClient``, for the session's person.
    ///
    /// Each point of a batch costs a permit, the fillers too, which it cannot tell from contacts; asked again, it is charged
    /// again. Contacts that were paid for in an epoch before are free in a new one. Buckets cost no permits. What the server does for
    /// the person is limited too: see ``PrivateWorkLimit``. A batch's multiplications are charged before they are made, and stay
    /// charged if the batch is refused; buckets cost as many rows as were read, also those that the client has already. Nobody is
    /// found whom a block hides from the person, nor the person.
    ///
    /// - Parameters:
    ///   - request: The message, as it came.
    ///   - threads: On how many threads to compute; 0 for as many as there are cores.
    /// - Returns: The message to send back.
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if the message is malformed or no request,
    ///   ``KinfolkError/Code/unknownItem`` if the container has no private directory, or not of this epoch,
    ///   ``KinfolkError/Code/conflict`` if prefixes have more bits than the directory's, or than it has by now,
    ///   ``KinfolkError/Code/limitExceeded`` if so many permits, multiplications or rows can never be held, or an answer had
    ///   more than 64 MiB, ``KinfolkError/Code/requestRateLimited`` if they are not there now,
    ///   ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing. Then no permit is spent.
    public func answer(_ request: [UInt8], threads: Int = 1) throws(KinfolkError) -> [UInt8] {
        var reader = try MessageReader(request)
        switch reader.type {
        case .descriptionRequest:
            guard reader.epoch == 0 else {
                throw MessageReader.malformed("A request for a description names no epoch.")
            }
            try reader.finish()
            let description = try service.read(describe)
            // Each discovery begins with one.
            note(.discovery)
            return description.message
        case .evaluationRequest:
            return try evaluate(EvaluationRequest(&reader), threads: threads > 0 ? threads : Parallel.coreCount).message
        case .bucketRequest:
            return try buckets(BucketRequest(&reader))
        case .description, .evaluation, .buckets:
            throw MessageReader.malformed("This is an answer, and no request.")
        }
    }

    // MARK: Description

    private func describe(_ db: Connection) throws -> DirectoryDescription {
        _ = try userInGoodStanding(db)
        let answering = try service.directories(ofContainer: container.number, in: db).answering
        guard !answering.isEmpty else { throw Session.noPrivateDirectory }
        return DirectoryDescription(
            try answering.prefix(Int(UInt8.max)).map { directory in
                DirectoryDescription.Epoch(
                    number: directory.epoch,
                    prefixBits: try prefixBits(of: directory.epoch, db),
                    publicKey: directory.key.publicKey.bytes
                )
            }
        )
    }

    private func prefixBits(of epoch: UInt32, _ db: Connection) throws -> PrefixBits {
        if let wanted = try ContainerTable.prefixBits(of: container.number, db) { return wanted }
        return try DirectoriesTable.row(epoch, of: container.number, db)?.prefixBits ?? .none
    }

    private func directory(_ epoch: UInt32, _ db: Connection) throws -> PrivateDirectory {
        let answering = try service.directories(ofContainer: container.number, in: db).answering
        guard !answering.isEmpty else { throw Session.noPrivateDirectory }
        guard let directory = answering.first(where: { $0.epoch == epoch }) else {
            throw KinfolkError(.unknownItem, "The private directory has no such epoch, or not any more: begin anew.")
        }
        return directory
    }

    private static var noPrivateDirectory: KinfolkError {
        KinfolkError(.unknownItem, "The container has no private directory.")
    }

    // MARK: Evaluation

    private func evaluate(_ request: EvaluationRequest, threads: Int) throws(KinfolkError) -> Evaluation {
        // What is paid for is looked up before the work, and noted after it: what another request of the same person has
        // used up meanwhile is then paid for with permits.
        while true {
            let (answering, charge) = try service.read { db in
                let account = try userInGoodStanding(db).account
                let charge = try PrivateChargeTable.charge(of: account, in: container.number, db)
                return (try directory(request.epoch, db), charge)
            }
            let (now, permits) = charge.asking(request.count, in: request.epoch)
            var isNoted = false
            let evaluation = try spending(permits) { () throws(KinfolkError) in
                // Before the work, and for good: a batch that is refused for one of its points has cost work too.
                try self.charge(request.multiplications, of: .multiplications)
                let evaluation = try Session.evaluate(request, with: answering.key, threads: threads)
                isNoted = try note(now, after: charge)
                return evaluation
            }
            if isNoted { return evaluation }
            try giveBack(permits)
        }
    }

    /// Notes what the person has asked. False if it is not what it was before any more.
    private func note(
        _ charge: PrivateChargeTable.Charge,
        after before: PrivateChargeTable.Charge
    ) throws(KinfolkError) -> Bool {
        try service.write { db in
            let account = try userInGoodStanding(db).account
            guard try PrivateChargeTable.charge(of: account, in: container.number, db) == before else { return false }
            try PrivateChargeTable.set(charge, of: account, in: container.number, db)
            return true
        }
    }

    private static func evaluate(
        _ request: EvaluationRequest,
        with key: OPRFKey,
        threads: Int
    ) throws(KinfolkError) -> Evaluation {
        var points = [UInt8](repeating: 0, count: request.points.count)
        do {
            let proof = try request.points.withUnsafeBytes { blinded in
                try points.withUnsafeMutableBytes { points in
                    try key.blindEvaluate(blinded, into: points, threads: threads)
                    return request.wantsProof
                        ? try key.prove(blinded: blinded, evaluated: UnsafeRawBufferPointer(points), threads: threads)
                            .bytes
                        : nil
                }
            }
            return Evaluation(epoch: request.epoch, id: request.id, points: points, proof: proof)
        } catch { throw KinfolkError(error) }
    }

    // MARK: Buckets

    private func buckets(_ request: BucketRequest) throws(KinfolkError) -> [UInt8] {
        let expected = try service.read { db in try expectedRows(request, db) }
        return try metering(rows: expected) { (meter) throws(KinfolkError) in
            try service.read { db in try buckets(request, meter, db) }
        }
    }

    /// How many rows the buckets have on average, and one for each bucket.
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
            throw KinfolkError(.conflict, "Prefixes have fewer bits in this directory, or by now: begin anew.")
        }
        meter.allow(Int(clamping: try left(of: .rows, db) / Limit.unit))
        try meter.count(request.buckets.count)
        var hidden = try BlockTable.hidden(from: user.record, in: container.number, db)
        hidden.insert(user.record)
        let search = try PrivateDirectoryTable.Search(directory.epoch, in: container.number, except: hidden, db)
        defer { search.finish(db) }
        var writer = BucketsWriter(answering: request)
        try search.forEachBucket(of: request.buckets.map(\.prefix)) { index in
            try writer.add(index, known: request.buckets[index].version) { writer in
                try search.forEachRows(counting: meter.count) { try writer.add($0) }
            }
        }
        return writer.message
    }

    // MARK: Both halves

    /// Finds the people in a contact book through the private directory, both halves in this process: for tests, and for
    /// hosts that the person trusts.
    ///
    /// - Parameters:
    ///   - book: The contacts.
    ///   - state: The ``Discovery/syncState`` of an earlier private discovery, which is a client's state: keep it like the
    ///     address book. Or nothing.
    ///   - threads: On how many threads to compute; 0 for as many as there are cores.
    /// - Throws: What `answer(_:threads:)` and ``PrivateDiscoveryClient`` throw.
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
