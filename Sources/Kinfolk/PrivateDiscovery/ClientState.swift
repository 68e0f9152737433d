import KinfolkCrypto

/// What a client keeps between two discoveries: what it paid for, and what it has seen of the directory.
///
/// As bytes: `KNP1`, the container's name (a byte of length before), the secret of the fillers (32), the epoch (4) and its public
/// key (32), how many fillers were made (8); the number of contacts (4) and for each its hash (32), its output (64), what is
/// known of it (1: 0 not evaluated, 1 not looked up, 2 nobody, 3 found) and the user record ID (16); the bits of a prefix (1),
/// the number of buckets (4) and for each its prefix (4, left-aligned) and version (5); at the end 16 bytes of HMAC-SHA-512 of
/// all before under the secret, against damage. Numbers are big-endian.
struct ClientState {
    static let outputLength = OPRF.outputLength
    private static let magic = Array("KNP1".utf8)
    private static let checkLength = 16

    /// What is known of a contact in the present epoch.
    enum Knowledge: Equatable {
        case notEvaluated
        case notLookedUp
        case nobody
        case found(UserRecordID)
    }

    struct Contact {
        let hash: ContactHash
        var tag = DirectoryTag(0)
        var knowledge = Knowledge.notEvaluated
    }

    let container: String
    private let secret: [UInt8]
    private(set) var epoch: UInt32 = 0
    private(set) var publicKey = [UInt8](repeating: 0, count: OPRF.elementLength)
    private var fillers: UInt64 = 0
    /// Contacts and fillers that were evaluated, in this epoch or one before.
    private(set) var contacts: [Contact] = []
    /// Of the contacts, 64 bytes each.
    private var outputs: [UInt8] = []
    private(set) var positions: [ContactHash: Int] = [:]
    private(set) var prefixBits = PrefixBits.none
    private var versions: [TagPrefix: BucketVersion] = [:]

    init(container: String) {
        self.container = container
        secret = SecureRandom.bytes(32)
    }

    // MARK: Changes

    /// Takes the epoch that the server answers. What was computed under another key is worth nothing any more.
    mutating func take(epoch: UInt32, publicKey: [UInt8]) {
        guard (epoch, publicKey) != (self.epoch, self.publicKey) else { return }
        self.epoch = epoch
        self.publicKey = publicKey
        versions = [:]
        outputs = [UInt8](repeating: 0, count: outputs.count)
        for index in contacts.indices { contacts[index].knowledge = .notEvaluated }
    }

    mutating func take(_ bits: PrefixBits) {
        guard bits != prefixBits else { return }
        prefixBits = bits
        versions = [:]
    }

    /// A contact hash that nobody has, another one each time.
    mutating func makeFiller() -> ContactHash {
        // A state that somebody made may hold the last number.
        fillers &+= 1
        return secret.withUnsafeBytes { secret in
            withUnsafeBytes(of: fillers.bigEndian) { number in
                withUnsafeTemporaryAllocation(byteCount: ContactHash.byteCount, alignment: 8) { hash in
                    HMACSHA512(key: secret).authenticate("kinfolk/1/filler", number, into: hash)
                    return ContactHash(bytes: UnsafeRawBufferPointer(hash)) ?? ContactHash.zero
                }
            }
        }
    }

    /// Takes the outputs of contacts, 64 bytes each.
    mutating func take(_ outputs: UnsafeRawBufferPointer, of hashes: [ContactHash]) {
        for (index, hash) in hashes.enumerated() {
            let start = index * ClientState.outputLength
            let output = UnsafeRawBufferPointer(rebasing: outputs[start..<start + ClientState.outputLength])
            var contact = Contact(hash: hash)
            contact.tag = DirectoryRow.Key(output).tag
            contact.knowledge = .notLookedUp
            if let position = positions[hash] {
                contacts[position] = contact
                self.outputs.replaceSubrange(
                    position * ClientState.outputLength..<(position + 1) * ClientState.outputLength,
                    with: output
                )
            } else {
                positions[hash] = contacts.count
                contacts.append(contact)
                self.outputs.append(contentsOf: output)
            }
        }
    }

    mutating func set(_ knowledge: Knowledge, of position: Int) { contacts[position].knowledge = knowledge }

    mutating func set(_ version: BucketVersion, of prefix: TagPrefix) { versions[prefix] = version }

    func version(of prefix: TagPrefix) -> BucketVersion { versions[prefix] ?? .none }

    /// What opens a contact's rows.
    func key(of position: Int) -> DirectoryRow.Key {
        outputs.withUnsafeBytes { outputs in
            let start = position * ClientState.outputLength
            return DirectoryRow.Key(UnsafeRawBufferPointer(rebasing: outputs[start..<start + ClientState.outputLength]))
        }
    }

    // MARK: As bytes

    var bytes: [UInt8] {
        let contactLength = ContactHash.byteCount + ClientState.outputLength + 1 + RandomID.length
        var writer = BytesWriter(capacity: 256 + contactLength * contacts.count + 9 * versions.count)
        writer.append(ClientState.magic)
        writer.append(UInt8(truncatingIfNeeded: container.utf8.count))
        writer.append(container.utf8)
        writer.append(secret)
        writer.append(epoch)
        writer.append(publicKey)
        writer.append(fillers)
        writer.append(UInt32(clamping: contacts.count))
        for (index, contact) in contacts.enumerated() {
            contact.hash.withUnsafeBytes { writer.append($0) }
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
        writer.append(ClientState.check(of: writer.bytes[...], secret))
        return writer.bytes
    }

    /// A state that was kept.
    ///
    /// - Throws: `invalidArgument` if it is damaged, or of another container.
    init(_ bytes: [UInt8], container: String) throws(KinfolkError) {
        var reader = BytesReader(bytes)
        guard try reader.take(4).elementsEqual(ClientState.magic) else { throw ClientState.damaged }
        let name = String(decoding: try reader.take(Int(reader.number(UInt8.self))), as: UTF8.self)
        guard name == container else {
            throw KinfolkError(.invalidArgument, "The state is of a discovery in another container.")
        }
        self.container = container
        secret = Array(try reader.take(32))
        guard bytes.count >= ClientState.checkLength,
            ConstantTime.equal(
                ClientState.check(of: bytes.dropLast(ClientState.checkLength), secret),
                bytes.suffix(ClientState.checkLength)
            )
        else { throw ClientState.damaged }
        epoch = try reader.number()
        publicKey = Array(try reader.take(OPRF.elementLength))
        fillers = try reader.number()
        for index in 0..<Int(try reader.number(UInt32.self)) {
            guard let hash = ContactHash(bytes: Array(try reader.take(ContactHash.byteCount))) else {
                throw ClientState.damaged
            }
            let output = try reader.take(ClientState.outputLength)
            let number = try reader.number(UInt8.self)
            let record = try reader.take(RandomID.length).withUnsafeBytes(RandomID.init(bytes:)).map(UserRecordID.init)
            guard let knowledge = Knowledge(number: number, record) else { throw ClientState.damaged }
            var contact = Contact(hash: hash)
            contact.knowledge = knowledge
            if knowledge != .notEvaluated { contact.tag = output.withUnsafeBytes(DirectoryRow.Key.init).tag }
            contacts.append(contact)
            outputs.append(contentsOf: output)
            guard positions.updateValue(index, forKey: hash) == nil else { throw ClientState.damaged }
        }
        // They came in batches, and what is to be evaluated in a new epoch goes in batches too.
        let unevaluated = contacts.count { $0.knowledge == .notEvaluated }
        guard contacts.count.isMultiple(of: BatchSize.all[0]), unevaluated.isMultiple(of: BatchSize.all[0]) else {
            throw ClientState.damaged
        }
        guard let bits = PrefixBits(Int(try reader.number(UInt8.self))) else { throw ClientState.damaged }
        prefixBits = bits
        for _ in 0..<(try reader.number(UInt32.self)) {
            let prefix = TagPrefix(try reader.take(4).prefix(bits.byteCount), bits)
            guard let prefix else { throw ClientState.damaged }
            versions[prefix] = BucketVersion(try reader.take(BucketVersion.length))
        }
        guard reader.rest == ClientState.checkLength else { throw ClientState.damaged }
    }

    private static func check(of bytes: ArraySlice<UInt8>, _ secret: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: checkLength)
        secret.withUnsafeBytes { secret in
            bytes.withUnsafeBytes { bytes in
                code.withUnsafeMutableBytes { HMACSHA512(key: secret).authenticate("kinfolk/1/state", bytes, into: $0) }
            }
        }
        return code
    }

    private static var damaged: KinfolkError {
        KinfolkError(.invalidArgument, "The state of a private discovery is damaged, or is none.")
    }
}

extension ClientState.Knowledge {
    fileprivate var number: UInt8 {
        switch self {
        case .notEvaluated: 0
        case .notLookedUp: 1
        case .nobody: 2
        case .found: 3
        }
    }

    var record: UserRecordID? {
        if case .found(let record) = self { record } else { nil }
    }

    fileprivate init?(number: UInt8, _ record: UserRecordID?) {
        switch (number, record) {
        case (0, _): self = .notEvaluated
        case (1, _): self = .notLookedUp
        case (2, _): self = .nobody
        case (3, let record?): self = .found(record)
        default: return nil
        }
    }
}
