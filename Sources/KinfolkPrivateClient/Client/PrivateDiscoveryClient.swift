public import KinfolkContacts
package import KinfolkCrypto
public import KinfolkModel
import KinfolkThreads

/// The client of private discovery: it finds friends without showing its contacts to the server.
///
/// It needs no service and no store. It returns the messages to send and receives the answers. The application transports the
/// messages:
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
        /// The index of the first bucket that is not requested yet.
        case lookUp(Int)
        case done
    }

    package enum Pending {
        case description
        case evaluation(id: RequestID, hashes: [ContactHash], blinds: OPRFBlinds, points: [UInt8])
        /// A renewal of the contacts at these positions in the state.
        case renewal(id: RequestID, places: [Int], blinds: OPRFBlinds, points: [UInt8])
        case buckets(BucketRequest)
    }

    /// The maximum number of bits of a contact's bucket position that the client reveals, 0 to 32. If the server's directory uses
    /// more, the client requests larger buckets. So a server cannot ask for so many bits that they distinguish one contact from
    /// all others. For a directory of a million people, 15 are suitable.
    public var maximumPrefixBits = 20

    package let publicKeys: [[UInt8]]
    package let bucketKey: [UInt8]?
    package let threads: Int
    package var known: ClientState
    package var book = ContactBook()
    private var step = Step.describe
    private var pending: (message: [UInt8], kind: Pending)?
    package var buckets: [BucketRequest.Bucket] = []
    /// The contacts in the order of their bucket positions, to find the contacts of a bucket.
    package var order: [Int] = []
    /// The contacts in the order of their tags, to find the contact of a row.
    var orderOfTags: [Int] = []
    /// The epochs whose evaluations the server accepts as paid.
    private var renewableEpochs: Set<UInt32> = []
    /// What this discovery has revealed to the server and learnt about its directory.
    package internal(set) var exposure = PrivateExposure()

    /// Creates a client for one person's contacts in one container.
    ///
    /// - Parameters:
    ///   - container: The container's name.
    ///   - publicKeys: The keys that the container publishes, 32 bytes each, if the application has them from another source,
    ///     such as its package. The server must then prove that it used one of them, and the newest epoch with one of these keys
    ///     is used. Without them, the server is trusted to use the same key for everybody.
    ///   - bucketKey: The bucket key that the operator publishes, 32 bytes, if the application has it from another source.
    ///     Without it, the first key that the server names is kept in the state, and any other key is refused later.
    ///   - fillerSecret: 32 random bytes that a person's applications share, if possible: then all of them use the same fillers
    ///     and request the same buckets. Without it, the secret in the state is used, or else a new one: see ``fillerSecret``.
    ///   - state: The value of ``state`` after an earlier discovery of the same person in the same container, or nothing. Without
    ///     it, the server is asked about all contacts again, and by comparing could learn how many there are, unless the filler
    ///     secret is the same.
    ///   - threads: The number of threads for computing; 0 for the number of cores.
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if an argument is malformed, or the state belongs to another container,
    ///   another filler secret or an older version, ``KinfolkError/Code/keyMismatch`` if the state belongs to another bucket key.
    public init(
        container: String,
        publicKeys: [[UInt8]] = [],
        bucketKey: [UInt8]? = nil,
        fillerSecret: [UInt8]? = nil,
        state: [UInt8] = [],
        threads: Int = 0
    ) throws(KinfolkError) {
        try ContainerName.validate(container)
        for key in publicKeys { try PrivateDiscoveryClient.validate(key) }
        if let bucketKey { try PrivateDiscoveryClient.validate(bucketKey) }
        guard fillerSecret.map({ $0.count == ClientState.fillerSecretLength }) ?? true else {
            throw KinfolkError(.invalidArgument, "A filler secret must have 32 bytes.")
        }
        self.publicKeys = publicKeys
        self.bucketKey = bucketKey
        self.threads = threads > 0 ? threads : Parallel.coreCount
        known =
            try state.isEmpty
            ? ClientState(container: container, fillerSecret: fillerSecret) : ClientState(state, container: container)
        guard fillerSecret.map({ ConstantTime.equal($0, known.fillerSecret) }) ?? true else {
            throw KinfolkError(.invalidArgument, "The state was made with another filler secret.")
        }
        if let bucketKey, !known.bucketKey.isEmpty { try demand(known.bucketKey == bucketKey, .keyMismatch) }
    }

    package func demand(_ isSameBucketKey: Bool, _ code: KinfolkError.Code) throws(KinfolkError) {
        guard isSameBucketKey else {
            throw KinfolkError(code, "The bucket key differs from the earlier or published one.")
        }
    }

    /// The secret from which the fillers of requests are made: 32 bytes. Give it to the person's other applications, and to a
    /// client that begins without a state, so that all of them request the same buckets. Protect it like the address book.
    public var fillerSecret: [UInt8] { known.fillerSecret }

    private static func validate(_ key: [UInt8]) throws(KinfolkError) {
        do {
            _ = try key.withUnsafeBytes { try OPRFPublicKey(bytes: $0, mode: .voprf) }
        } catch {
            throw KinfolkError(.invalidArgument, "A public key must be a ristretto255 element of 32 bytes.")
        }
    }

    // MARK: The conversation

    /// Sets the contacts, and starts a new discovery.
    public mutating func setContacts(_ book: ContactBook) {
        self.book = book
        begin()
    }

    /// Starts a new discovery with the same contacts: after a request that failed, or to learn what has changed.
    public mutating func begin() {
        exposure = PrivateExposure()
        step = .describe
        pending = nil
    }

    /// The next message to send, or nil when the discovery is complete. Returns the same message until its answer was received.
    public mutating func nextRequest() throws(KinfolkError) -> [UInt8]? {
        if let pending { return pending.message }
        while true {
            switch step {
            case .describe:
                pending = (DirectoryDescription.request, .description)
            case .evaluate:
                let stale = known.stale
                if let place = stale.first, renewableEpochs.contains(known.contacts[place].epoch),
                    let renewal = try renew(stale)
                {
                    pending = renewal
                    return renewal.message
                }
                // Contacts that cannot be renewed must be paid for again.
                guard let hashes = stale.isEmpty ? newBatch() : stale.map({ known.contacts[$0].hash }) else {
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

    /// Processes the answer to the request.
    ///
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if the answer is malformed, ``KinfolkError/Code/conflict`` if it belongs
    ///   to another request, or the bucket key or the key of an epoch has changed, ``KinfolkError/Code/keyMismatch`` if a key of
    ///   the server is not one of the published keys, or the server did not use its key. In these cases nothing changes, and the
    ///   request stays pending.
    public mutating func receive(_ answer: [UInt8]) throws(KinfolkError) {
        guard let pending else {
            throw KinfolkError(.invalidArgument, "No request is pending.")
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
        case (.renewal(let id, let places, let blinds, let points), .renewal):
            let renewal = try Renewal(&reader)
            try check(renewal.id == id && renewal.epoch == known.epoch)
            try take(renewal, places, blinds, points)
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

    package func check(_ isAnswer: Bool) throws(KinfolkError) {
        guard isAnswer else { throw PrivateDiscoveryClient.anotherAnswer }
    }

    private static var anotherAnswer: KinfolkError {
        KinfolkError(.conflict, "This is the answer to another request.")
    }

    // MARK: Results

    /// The people in the contacts: each once, in the order of the book, with all contacts that led to them.
    ///
    /// To get their names, discover them by user record ID. That reveals to the server who they are; it may be postponed or left
    /// out.
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

    /// The state to keep for the next discovery: with it, known contacts are not asked about again, and only changed buckets are
    /// sent.
    ///
    /// It contains contact hashes in clear: protect it like the address book.
    public var state: [UInt8] { known.bytes }

    // MARK: Describe

    private mutating func take(_ description: DirectoryDescription) throws(KinfolkError) {
        try PrivateDiscoveryClient.validate(description.bucketKey)
        if let bucketKey { try demand(description.bucketKey == bucketKey, .keyMismatch) }
        if !known.bucketKey.isEmpty { try demand(description.bucketKey == known.bucketKey, .conflict) }
        let chosen = description.answering.first { publicKeys.isEmpty || publicKeys.contains($0.publicKey) }
        guard let chosen else {
            throw KinfolkError(.keyMismatch, "The server's key is not one of the published keys.")
        }
        try PrivateDiscoveryClient.validate(chosen.publicKey)
        guard description.epochs.allSatisfy({ $0.number != known.epoch || $0.publicKey == known.publicKey }) else {
            throw KinfolkError(.conflict, "The server's key of this epoch has changed.")
        }
        known.take(epoch: chosen.number, publicKey: chosen.publicKey, bucketKey: description.bucketKey)
        renewableEpochs = Set(description.epochs.filter { $0.state != .announced }.map(\.number))
        let bits = PrefixBits(clamping: min(chosen.prefixBits.count, maximumPrefixBits))
        known.take(bits)
        exposure.epoch = chosen.number
        exposure.prefixBits = bits.count
    }
}

extension PrivateDiscoveryClient: Redacted {}
