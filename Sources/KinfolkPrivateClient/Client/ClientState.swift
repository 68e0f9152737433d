package import KinfolkContacts
import KinfolkCrypto
package import KinfolkModel

/// What a client keeps between two discoveries: what it paid for, and what it has seen of the directory.
///
/// As bytes: `KNP2`, the container's name (preceded by one byte with its length), the secret of the fillers (32), the bucket key
/// (32; zeros before the first description), the epoch (4) and its public key (32), and the number of fillers made so far (8).
/// Then the number of contacts (4) and for each its hash (32), its bucket position (4), the epoch in which it was last evaluated
/// (4), its evaluation by that epoch's key, unblinded (32), its output (64), what is known of it (1: 0 not looked up, 1 nobody, 2
/// found) and the user record ID (16). Then the number of bits of a prefix (1), the number of buckets (4) and for each its prefix
/// (4, left-aligned) and version (5). At the end are 16 bytes of HMAC-SHA-512 of everything before under the secret, to detect
/// damage. Numbers are big-endian.
///
/// States of the first version are refused: their contacts revealed bits under another key, and would now reveal new bits in
/// addition.
package struct ClientState {
    package static let outputLength = OPRF.outputLength
    package static let elementLength = OPRF.elementLength
    static let fillerSecretLength = 32
    private static let magic = Array("KNP2".utf8)
    private static let oldMagic = Array("KNP1".utf8)
    private static let checkLength = 16

    /// Whether bytes begin as the state of any version does. They may still be damaged, or be of another container.
    package static func isMarked(_ bytes: [UInt8]) -> Bool { bytes.starts(with: magic) || bytes.starts(with: oldMagic) }

    /// What is known of a contact in the epoch in which it was last evaluated.
    package enum Knowledge: Equatable {
        case notLookedUp
        case nobody
        case found(UserRecordID)
    }

    package struct Contact {
        package let hash: ContactHash
        /// The same in all epochs.
        package var position: BucketPosition
        package var epoch: UInt32
        package var tag = DirectoryTag(0)
        var knowledge = Knowledge.notLookedUp
    }

    /// The results of a batch, in the order of its hashes.
    package struct Batch {
        /// ``elementLength`` bytes each.
        package var elements: [UInt8]
        /// ``outputLength`` bytes each.
        package var outputs: [UInt8]

        package init(count: Int) {
            elements = [UInt8](repeating: 0, count: ClientState.elementLength * count)
            outputs = [UInt8](repeating: 0, count: ClientState.outputLength * count)
        }

        package mutating func wipe() {
            elements.withUnsafeMutableBytes(KinfolkCrypto.wipe)
            outputs.withUnsafeMutableBytes(KinfolkCrypto.wipe)
        }
    }

    package let container: String
    /// Clients that share the secret make the same fillers, and so request the same buckets.
    package let fillerSecret: [UInt8]
    /// Empty before the first description.
    package private(set) var bucketKey: [UInt8] = []
    package private(set) var epoch: UInt32 = 0
    package private(set) var publicKey = [UInt8](repeating: 0, count: OPRF.elementLength)
    private var fillers: UInt64 = 0
    /// The contacts and fillers that were evaluated, in this epoch or an earlier one.
    package private(set) var contacts: [Contact] = []
    /// The outputs of the contacts, 64 bytes each.
    private var outputs: [UInt8] = []
    /// The elements of the contacts, 32 bytes each.
    private var elements: [UInt8] = []
    package private(set) var positions: [ContactHash: Int] = [:]
    package private(set) var prefixBits = PrefixBits.none
    private var versions: [BucketPrefix: BucketVersion] = [:]

    package init(container: String, fillerSecret: [UInt8]? = nil) {
        self.container = container
        self.fillerSecret = fillerSecret ?? SecureRandom.bytes(ClientState.fillerSecretLength)
    }

    // MARK: Changes

    /// Switches to the epoch that the server answers for. Results computed under another key find nobody there.
    package mutating func take(epoch: UInt32, publicKey: [UInt8], bucketKey: [UInt8]) {
        self.bucketKey = bucketKey
        guard (epoch, publicKey) != (self.epoch, self.publicKey) else { return }
        self.epoch = epoch
        self.publicKey = publicKey
        versions = [:]
        for index in contacts.indices { contacts[index].knowledge = .notLookedUp }
    }

    package mutating func take(_ bits: PrefixBits) {
        guard bits != prefixBits else { return }
        prefixBits = bits
        versions = [:]
    }

    /// The next batch of contacts that were evaluated in another epoch, all of them in the same one. Empty if there are none.
    package var stale: [Int] {
        guard let first = contacts.first(where: { $0.epoch != epoch })?.epoch else { return [] }
        let all = contacts.indices.filter { contacts[$0].epoch == first }
        return Array(all.prefix(BatchSize.forPaid(all.count)))
    }

    /// A contact hash that nobody has; a different one at each call.
    package mutating func makeFiller() -> ContactHash {
        // In a manipulated state, the counter may have its maximum.
        fillers &+= 1
        return fillerSecret.withUnsafeBytes { secret in
            withUnsafeBytes(of: fillers.bigEndian) { number in
                withUnsafeTemporaryAllocation(byteCount: ContactHash.byteCount, alignment: 8) { hash in
                    HMACSHA512(key: secret).authenticate("kinfolk/2/filler", number, into: hash)
                    return ContactHash(bytes: UnsafeRawBufferPointer(hash)) ?? ContactHash.zero
                }
            }
        }
    }

    /// Stores the results of contacts that were evaluated in the current epoch, with the positions of their buckets.
    package mutating func take(_ batch: Batch, _ buckets: [BucketPosition], of hashes: [ContactHash]) {
        for (index, (hash, bucket)) in zip(hashes, buckets).enumerated() {
            if let position = positions[hash] {
                take(batch, index, at: position)
            } else {
                positions[hash] = contacts.count
                contacts.append(Contact(hash: hash, position: bucket, epoch: epoch))
                elements.append(contentsOf: repeatElement(0, count: ClientState.elementLength))
                outputs.append(contentsOf: repeatElement(0, count: ClientState.outputLength))
                take(batch, index, at: contacts.count - 1)
            }
        }
    }

    /// Stores the results of contacts that were renewed. Their buckets do not change.
    package mutating func renew(_ batch: Batch, of places: [Int]) {
        for (index, place) in places.enumerated() { take(batch, index, at: place) }
    }

    private mutating func take(_ batch: Batch, _ index: Int, at place: Int) {
        let output = batch.outputs[index * ClientState.outputLength..<(index + 1) * ClientState.outputLength]
        contacts[place].epoch = epoch
        contacts[place].tag = output.withUnsafeBytes(DirectoryRow.Key.init).tag
        contacts[place].knowledge = .notLookedUp
        outputs.replaceSubrange(place * ClientState.outputLength..<(place + 1) * ClientState.outputLength, with: output)
        elements.replaceSubrange(
            place * ClientState.elementLength..<(place + 1) * ClientState.elementLength,
            with: batch.elements[index * ClientState.elementLength..<(index + 1) * ClientState.elementLength]
        )
    }

    package mutating func set(_ knowledge: Knowledge, of position: Int) { contacts[position].knowledge = knowledge }

    package mutating func set(_ version: BucketVersion, of prefix: BucketPrefix) { versions[prefix] = version }

    package func version(of prefix: BucketPrefix) -> BucketVersion { versions[prefix] ?? .none }

    /// The key that opens a contact's rows.
    package func key(of position: Int) -> DirectoryRow.Key {
        outputs.withUnsafeBytes { outputs in
            let start = position * ClientState.outputLength
            return DirectoryRow.Key(UnsafeRawBufferPointer(rebasing: outputs[start..<start + ClientState.outputLength]))
        }
    }

    /// The evaluation of a contact's hash by the key of its epoch.
    package func element(of position: Int) -> ArraySlice<UInt8> {
        elements[position * ClientState.elementLength..<(position + 1) * ClientState.elementLength]
    }

    // MARK: The byte form

    package var bytes: [UInt8] {
        let contactLength =
            ContactHash.byteCount + 8 + ClientState.elementLength + ClientState.outputLength + 1 + RandomID.length
        var writer = BytesWriter(capacity: 320 + contactLength * contacts.count + 9 * versions.count)
        writer.append(ClientState.magic)
        writer.append(UInt8(truncatingIfNeeded: container.utf8.count))
        writer.append(container.utf8)
        writer.append(fillerSecret)
        writer.append(bucketKey.isEmpty ? ClientState.noKey : bucketKey)
        writer.append(epoch)
        writer.append(publicKey)
        writer.append(fillers)
        writer.append(UInt32(clamping: contacts.count))
        for (index, contact) in contacts.enumerated() {
            contact.hash.withUnsafeBytes { writer.append($0) }
            writer.append(contact.position.value)
            writer.append(contact.epoch)
            writer.append(element(of: index))
            writer.append(outputs[index * ClientState.outputLength..<(index + 1) * ClientState.outputLength])
            writer.append(contact.knowledge.number)
            writer.append(contact.knowledge.record?.value.bytes ?? [UInt8](repeating: 0, count: RandomID.length))
        }
        writer.append(UInt8(clamping: prefixBits.count))
        writer.append(UInt32(clamping: versions.count))
        for (prefix, version) in versions.sorted(by: { $0.key < $1.key }) {
            writer.append(prefix)
            writer.append([UInt8](repeating: 0, count: 4 - prefixBits.byteCount))
            writer.append(version)
        }
        writer.append(ClientState.check(of: writer.bytes[...], fillerSecret))
        return writer.bytes
    }

    private static let noKey = [UInt8](repeating: 0, count: OPRF.elementLength)

    /// Reads a state that was stored.
    ///
    /// - Throws: `invalidArgument` if it is damaged, or belongs to another container.
    package init(_ bytes: [UInt8], container: String) throws(KinfolkError) {
        var reader = BytesReader(bytes)
        let magic = try reader.take(4)
        guard !magic.elementsEqual(ClientState.oldMagic) else {
            throw KinfolkError(
                .invalidArgument,
                "The state was made by an older version and cannot be used: start without a state."
            )
        }
        guard magic.elementsEqual(ClientState.magic) else { throw ClientState.damaged }
        let name = String(decoding: try reader.take(Int(reader.number(UInt8.self))), as: UTF8.self)
        guard name == container else {
            throw KinfolkError(.invalidArgument, "The state belongs to another container.")
        }
        self.container = container
        fillerSecret = Array(try reader.take(ClientState.fillerSecretLength))
        guard bytes.count >= ClientState.checkLength,
            ConstantTime.equal(
                ClientState.check(of: bytes.dropLast(ClientState.checkLength), fillerSecret),
                bytes.suffix(ClientState.checkLength)
            )
        else { throw ClientState.damaged }
        let key = Array(try reader.take(OPRF.elementLength))
        bucketKey = key == ClientState.noKey ? [] : key
        epoch = try reader.number()
        publicKey = Array(try reader.take(OPRF.elementLength))
        fillers = try reader.number()
        for index in 0..<Int(try reader.number(UInt32.self)) {
            guard let hash = ContactHash(bytes: Array(try reader.take(ContactHash.byteCount))) else {
                throw ClientState.damaged
            }
            let position = BucketPosition(try reader.number())
            let evaluatedIn = try reader.number(UInt32.self)
            let element = try reader.take(ClientState.elementLength)
            let output = try reader.take(ClientState.outputLength)
            let number = try reader.number(UInt8.self)
            let record = try reader.take(RandomID.length).withUnsafeBytes(RandomID.init(bytes:)).map(UserRecordID.init)
            guard let knowledge = Knowledge(number: number, record), evaluatedIn > 0 else { throw ClientState.damaged }
            var contact = Contact(hash: hash, position: position, epoch: evaluatedIn)
            contact.knowledge = knowledge
            if evaluatedIn == epoch { contact.tag = output.withUnsafeBytes(DirectoryRow.Key.init).tag }
            contacts.append(contact)
            elements.append(contentsOf: element)
            outputs.append(contentsOf: output)
            guard positions.updateValue(index, forKey: hash) == nil else { throw ClientState.damaged }
        }
        // Contacts were added in batches and are renewed in batches, separately for each epoch.
        let counts = Dictionary(grouping: contacts, by: \.epoch).mapValues(\.count)
        guard counts.values.allSatisfy({ $0.isMultiple(of: BatchSize.all[0]) }) else { throw ClientState.damaged }
        guard let bits = PrefixBits(Int(try reader.number(UInt8.self))) else { throw ClientState.damaged }
        prefixBits = bits
        for _ in 0..<(try reader.number(UInt32.self)) {
            let prefix = BucketPrefix(try reader.take(4).prefix(bits.byteCount), bits)
            guard let prefix else { throw ClientState.damaged }
            versions[prefix] = BucketVersion(try reader.take(BucketVersion.length))
        }
        guard reader.rest == ClientState.checkLength else { throw ClientState.damaged }
    }

    private static func check(of bytes: ArraySlice<UInt8>, _ secret: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: checkLength)
        secret.withUnsafeBytes { secret in
            bytes.withUnsafeBytes { bytes in
                code.withUnsafeMutableBytes { HMACSHA512(key: secret).authenticate("kinfolk/2/state", bytes, into: $0) }
            }
        }
        return code
    }

    private static var damaged: KinfolkError {
        KinfolkError(.invalidArgument, "This is not a valid state of a private discovery.")
    }
}

extension ClientState.Knowledge {
    fileprivate var number: UInt8 {
        switch self {
        case .notLookedUp: 0
        case .nobody: 1
        case .found: 2
        }
    }

    package var record: UserRecordID? {
        if case .found(let record) = self { record } else { nil }
    }

    fileprivate init?(number: UInt8, _ record: UserRecordID?) {
        switch (number, record) {
        case (0, _): self = .notLookedUp
        case (1, _): self = .nobody
        case (2, let record?): self = .found(record)
        default: return nil
        }
    }
}
