import KinfolkCrypto
import KinfolkThreads

/// The client's half of private discovery: it finds friends without showing its contacts to the server.
///
/// It needs no service and no store. It says what to send, and is given what came back; how the messages travel is the
/// application's part:
///
/// ```swift
/// var client = try PrivateDiscoveryClient(container: "com.example.notes", state: kept)
/// client.setContacts(book)
/// while let request = try client.nextRequest() {
///     try client.receive(transport.send(request))
/// }
/// kept = client.state
/// ```
///
/// The messages are described byte by byte in `docs/private-discovery.md`.
public struct PrivateDiscoveryClient: Sendable {
    private enum Step {
        case describe
        case evaluate
        /// From this one on of the buckets to ask for.
        case lookUp(Int)
        case done
    }

    private enum Pending {
        case description
        case evaluation(id: RequestID, hashes: [ContactHash], blinds: OPRFBlinds, points: [UInt8])
        case buckets(BucketRequest)
    }

    /// How many bits of a contact's tag it tells at most, 0 to 32: where the server's directory has more, it asks for larger
    /// buckets. So a server cannot ask for so many that they tell one contact from all others. What suits a directory of
    /// a million people is 15.
    public var maximumPrefixBits = 20

    private let publicKeys: [[UInt8]]
    private let threads: Int
    private var known: ClientState
    private var book = ContactBook()
    private var step = Step.describe
    private var pending: (message: [UInt8], kind: Pending)?
    private var buckets: [BucketRequest.Bucket] = []
    /// The contacts in the order of their tags, to find those of a bucket.
    private var order: [Int] = []
    /// What this discovery has told the server, and seen of its directory.
    package private(set) var exposure = PrivateExposure()

    /// A client of one person's contacts in one container.
    ///
    /// - Parameters:
    ///   - container: The container's name.
    ///   - publicKeys: The keys that the container publishes, 32 bytes each, if the application has them from elsewhere: in
    ///     its package, say. Then the server must prove that it used one of them. Without any it is trusted to use the same
    ///     for everybody.
    ///   - state: What ``state`` was after an earlier discovery of the same person in the same container, or nothing.
    ///     Without it the server is asked about all contacts again, and could find out by comparing how many there are.
    ///   - threads: On how many threads to compute; 0 for as many as there are cores.
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if one of these is malformed, or the state of another container.
    public init(
        container: String,
        publicKeys: [[UInt8]] = [],
        state: [UInt8] = [],
        threads: Int = 0
    ) throws(KinfolkError) {
        try ContainerName.validate(container)
        for key in publicKeys { try PrivateDiscoveryClient.validate(key) }
        self.publicKeys = publicKeys
        self.threads = threads > 0 ? threads : Parallel.coreCount
        known = try state.isEmpty ? ClientState(container: container) : ClientState(state, container: container)
    }

    private static func validate(_ key: [UInt8]) throws(KinfolkError) {
        do {
            _ = try key.withUnsafeBytes { try OPRFPublicKey(bytes: $0, mode: .voprf) }
        } catch {
            throw KinfolkError(.invalidArgument, "A public key is the 32 bytes of an element of ristretto255.")
        }
    }

    // MARK: The conversation

    /// Takes the contacts that count from now on, and begins a discovery anew.
    public mutating func setContacts(_ book: ContactBook) {
        self.book = book
        begin()
    }

    /// Begins a discovery anew, with the same contacts: after a request that failed, or to see what has changed.
    public mutating func begin() {
        exposure = PrivateExposure()
        step = .describe
        pending = nil
    }

    /// What to send next, or nil when all is known. The same again until its answer came.
    public mutating func nextRequest() throws(KinfolkError) -> [UInt8]? {
        if let pending { return pending.message }
        while true {
            switch step {
            case .describe:
                pending = (DirectoryDescription.request, .description)
            case .evaluate:
                guard let hashes = nextBatch() else {
                    listBuckets()
                    step = .lookUp(0)
                    continue
                }
                pending = try blind(hashes)
            case .lookUp(let first) where first < buckets.count:
                let request = BucketRequest(
                    epoch: known.epoch,
                    id: .make(),
                    prefixBits: known.prefixBits,
                    buckets: Array(buckets[first...].prefix(BucketRequest.limit))
                )
                pending = (request.message, .buckets(request))
            case .lookUp, .done:
                step = .done
                return nil
            }
            return pending?.message
        }
    }

    /// Takes the answer to the request.
    ///
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if it is malformed, ``KinfolkError/Code/conflict`` if it is the answer
    ///   to another request or the server's key changed within an epoch, ``KinfolkError/Code/keyMismatch`` if the server's
    ///   key is none of the published ones, or it did not use it. Nothing is taken then, and the request stands.
    public mutating func receive(_ answer: [UInt8]) throws(KinfolkError) {
        guard let pending else {
            throw KinfolkError(.invalidArgument, "There is no request that this could be the answer to.")
        }
        var reader = try MessageReader(answer)
        switch (pending.kind, reader.type) {
        case (.description, .description):
            try take(DirectoryDescription(&reader))
            step = .evaluate
        case (.evaluation(let id, let hashes, let blinds, let points), .evaluation):
            let evaluation = try Evaluation(&reader)
            try check(evaluation.id == id && evaluation.epoch == known.epoch)
            try take(evaluation, hashes, blinds, points)
        case (.buckets(let request), .buckets):
            let answer = try Buckets(&reader)
            try check(
                answer.id == request.id && answer.epoch == request.epoch && answer.prefixBits == request.prefixBits
            )
            try check(answer.buckets.count == request.buckets.count)
            try take(answer, request)
            if case .lookUp(let first) = step { step = .lookUp(first + request.buckets.count) }
        default:
            throw PrivateDiscoveryClient.anotherAnswer
        }
        self.pending = nil
    }

    private func check(_ isAnswer: Bool) throws(KinfolkError) {
        guard isAnswer else { throw PrivateDiscoveryClient.anotherAnswer }
    }

    private static var anotherAnswer: KinfolkError {
        KinfolkError(.conflict, "This is the answer to another request.")
    }

    // MARK: What came of it

    /// The people in the contacts: each once, in the order of the book, with all contacts that led to them.
    ///
    /// Their names come by a discovery by user record ID. That tells the server who they are: it may be put off or left out.
    public var matches: [PrivateMatch] {
        var people: [(record: UserRecordID, contacts: [DiscoveredIdentity.Contact])] = []
        var positions: [UserRecordID: Int] = [:]
        book.withUnsafeHashes { hashes in
            for (index, hash) in hashes.enumerated() {
                guard let record = known.positions[hash].flatMap({ known.contacts[$0].knowledge.record }) else {
                    continue
                }
                let contact = DiscoveredIdentity.Contact(index: index, label: book.label(at: index))
                if let position = positions[record] {
                    people[position].contacts.append(contact)
                } else {
                    positions[record] = people.count
                    people.append((record, [contact]))
                }
            }
        }
        return people.map { PrivateMatch(userRecordID: $0.record, contacts: $0.contacts) }
    }

    /// What to keep for the next discovery: with it nothing is asked about known contacts, and only changed buckets are sent.
    ///
    /// It holds contact hashes in clear: keep it like the address book.
    public var state: [UInt8] { known.bytes }

    // MARK: Describe

    private mutating func take(_ description: DirectoryDescription) throws(KinfolkError) {
        let newest = description.epochs[0]
        try PrivateDiscoveryClient.validate(newest.publicKey)
        guard publicKeys.isEmpty || publicKeys.contains(newest.publicKey) else {
            throw KinfolkError(.keyMismatch, "The server's key is none of those that the container publishes.")
        }
        guard newest.number != known.epoch || newest.publicKey == known.publicKey else {
            throw KinfolkError(.conflict, "The server's key is another one than before in the same epoch.")
        }
        known.take(epoch: newest.number, publicKey: newest.publicKey)
        let bits = PrefixBits(clamping: min(newest.prefixBits.count, maximumPrefixBits))
        known.take(bits)
        exposure.epoch = newest.number
        exposure.prefixBits = bits.count
    }

    // MARK: Evaluate

    /// What to evaluate next: first what was paid for in an epoch before, then the new contacts, filled up.
    private mutating func nextBatch() -> [ContactHash]? {
        let paid = known.contacts.lazy.filter { $0.knowledge == .notEvaluated }.map(\.hash)
        let paidCount = paid.count
        if paidCount > 0 { return Array(paid.prefix(BatchSize.forPaid(paidCount))) }
        var seen = Set<ContactHash>()
        var new: [ContactHash] = []
        book.withUnsafeHashes { hashes in
            for hash in hashes where known.positions[hash] == nil && seen.insert(hash).inserted { new.append(hash) }
        }
        guard !new.isEmpty else { return nil }
        let size = BatchSize.forContacts(new.count)
        if new.count > size { new.removeLast(new.count - size) }
        while new.count < size { new.append(known.makeFiller()) }
        return new
    }

    private func blind(_ hashes: [ContactHash]) throws(KinfolkError) -> (message: [UInt8], kind: Pending) {
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
            let request = EvaluationRequest(
                epoch: known.epoch,
                id: .make(),
                wantsProof: !publicKeys.isEmpty,
                points: points
            )
            return (
                request.message, .evaluation(id: request.id, hashes: hashes, blinds: blinds, points: points)
            )
        } catch { throw KinfolkError(error) }
    }

    private mutating func take(
        _ evaluation: Evaluation,
        _ hashes: [ContactHash],
        _ blinds: OPRFBlinds,
        _ points: [UInt8]
    ) throws(KinfolkError) {
        try check(evaluation.points.count == points.count)
        let threads = threads
        var outputs = [UInt8](repeating: 0, count: OPRF.outputLength * hashes.count)
        defer { outputs.withUnsafeMutableBytes(wipe) }
        do {
            try evaluation.points.withUnsafeBytes { evaluated in
                if !publicKeys.isEmpty {
                    guard let proof = evaluation.proof else {
                        throw KinfolkError(.keyMismatch, "The server did not prove that it used the published key.")
                    }
                    let key = try known.publicKey.withUnsafeBytes { try OPRFPublicKey(bytes: $0, mode: .voprf) }
                    let parsed = try proof.withUnsafeBytes { try OPRFProof(bytes: $0) }
                    try points.withUnsafeBytes { blinded in
                        try key.verify(parsed, blinded: blinded, evaluated: evaluated, threads: threads)
                    }
                }
                try hashes.withUnsafeBytes { hashes in
                    try outputs.withUnsafeMutableBytes { outputs in
                        try blinds.finalize(
                            OPRFInputs(hashes, length: ContactHash.byteCount),
                            evaluated: evaluated,
                            into: outputs,
                            threads: threads
                        )
                    }
                }
            }
        } catch { throw KinfolkError(error) }
        outputs.withUnsafeBytes { known.take($0, of: hashes) }
        exposure.points += hashes.count
    }

    // MARK: Look up

    /// The buckets of all contacts and fillers. Where one was not looked up yet, the bucket is asked for whole.
    private mutating func listBuckets() {
        order = known.contacts.indices.sorted { known.contacts[$0].tag < known.contacts[$1].tag }
        buckets = []
        var isNew: [Bool] = []
        for position in order {
            let contact = known.contacts[position]
            let prefix = TagPrefix(of: contact.tag, known.prefixBits)
            if buckets.last?.prefix != prefix {
                buckets.append(BucketRequest.Bucket(prefix: prefix, version: known.version(of: prefix)))
                isNew.append(false)
            }
            if contact.knowledge == .notLookedUp { isNew[isNew.count - 1] = true }
        }
        for (index, isNew) in isNew.enumerated() where isNew {
            buckets[index] = BucketRequest.Bucket(prefix: buckets[index].prefix, version: .none)
        }
    }

    private mutating func take(_ answer: Buckets, _ request: BucketRequest) throws(KinfolkError) {
        let place = DirectoryRow.Place(container: known.container, epoch: known.epoch)
        guard zip(request.buckets, answer.buckets).allSatisfy({ $0.version != .none || $1 != nil }) else {
            throw MessageReader.malformed("A bucket that the client does not have is said not to have changed.")
        }
        exposure.buckets += request.buckets.count
        for case (let asked, let bucket?) in zip(request.buckets, answer.buckets) {
            exposure.rows += bucket.rows.count / DirectoryRow.length
            take(bucket, asked.prefix, at: place)
            known.set(bucket.version, of: asked.prefix)
        }
    }

    private mutating func take(_ bucket: Buckets.Bucket, _ prefix: TagPrefix, at place: DirectoryRow.Place) {
        let tags = prefix.tags
        let first = firstInOrder { $0 >= tags.lowerBound }
        let members = order[first...].prefix { known.contacts[$0].tag <= tags.upperBound }
        for position in members { known.set(.nobody, of: position) }
        bucket.rows.withUnsafeBytes { rows in
            for start in stride(from: 0, to: rows.count, by: DirectoryRow.length) {
                let row = UnsafeRawBufferPointer(rebasing: rows[start..<start + DirectoryRow.length])
                guard let tag = DirectoryTag(UnsafeRawBufferPointer(rebasing: row[..<DirectoryTag.length])) else {
                    continue
                }
                var index = firstInOrder { $0 >= tag }
                while index < order.count, known.contacts[order[index]].tag == tag {
                    let sealed = UnsafeRawBufferPointer(rebasing: row[DirectoryTag.length...])
                    if let record = DirectoryRow.open(sealed, known.key(of: order[index]), at: place) {
                        known.set(.found(record), of: order[index])
                    }
                    index += 1
                }
            }
        }
    }

    /// Where in the order the tags begin that fulfil a condition, as all after them do.
    private func firstInOrder(_ isFulfilled: (DirectoryTag) -> Bool) -> Int {
        var range = 0..<order.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if isFulfilled(known.contacts[order[middle]].tag) {
                range = range.lowerBound..<middle
            } else {
                range = middle + 1..<range.upperBound
            }
        }
        return range.lowerBound
    }
}
