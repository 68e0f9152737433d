import KinfolkCrypto

/// What the directory says of a person: the name, and what proves that a hit is right. It is sealed with the container and the
/// user record ID, so that it can neither be changed nor given to somebody else.
///
/// A hit holds only if the account has the revision of then. As every change of a row that decides for the account raises the
/// revision, a row of the directory that outlived a change is of no use.
struct PublishedIdentity {
    let account: AccountID
    /// The revision of the account from which this was made.
    let revision: Int64
    /// The tags under which the person may be found in this container.
    let tags: [Tag]
    /// Whom the person does not want to find nor to be found by, or the operator for them: the first 8 bytes of each of those
    /// user record IDs, which are random, in the order of these numbers.
    let blocked: [UInt64]
    let name: PersonName

    init(account: AccountID, revision: Int64, tags: [Tag], blocked: [UserRecordID], name: PersonName) {
        self.account = account
        self.revision = revision
        self.tags = tags
        self.blocked = blocked.map(PublishedIdentity.number).sorted()
        self.name = name
    }

    /// Whether the person is hidden from somebody by a block of their own.
    func hasBlocked(_ record: UserRecordID) -> Bool {
        let wanted = PublishedIdentity.number(record)
        var (low, high) = (0, blocked.count)
        while low < high {
            let middle = (low + high) / 2
            if blocked[middle] < wanted { low = middle + 1 } else { high = middle }
        }
        return low < blocked.count && blocked[low] == wanted
    }

    private static func number(_ record: UserRecordID) -> UInt64 { UInt64(bigEndian: record.value.tag.words.0) }

    // MARK: As it is sealed

    /// The account ID, the revision, how many tags and blocks there are (8 bytes each, little-endian), those, and the name.
    var bytes: [UInt8] {
        let name = name.bytes
        var bytes: [UInt8] = []
        bytes.reserveCapacity(PublishedIdentity.fixedLength + Tag.length * tags.count + 8 * blocked.count + name.count)
        func append(_ number: UInt64) { withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) } }
        account.value.tag.withUnsafeBytes { bytes.append(contentsOf: $0) }
        append(UInt64(bitPattern: revision))
        append(UInt64(tags.count))
        append(UInt64(blocked.count))
        for tag in tags { tag.withUnsafeBytes { bytes.append(contentsOf: $0) } }
        for number in blocked { append(number) }
        return bytes + name
    }

    private static let fixedLength = RandomID.length + 3 * 8

    /// - Throws: ``CryptoError/notAuthentic`` if these are no such bytes.
    init(bytes: [UInt8]) throws {
        self = try bytes.withUnsafeBytes(PublishedIdentity.init(bytes:))
    }

    private init(bytes: UnsafeRawBufferPointer) throws {
        func number(at position: Int) -> UInt64 {
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
        }
        func part(_ start: Int, _ length: Int) -> UnsafeRawBufferPointer {
            UnsafeRawBufferPointer(rebasing: bytes[start..<start + length])
        }
        guard bytes.count >= PublishedIdentity.fixedLength, let id = RandomID(bytes: part(0, RandomID.length)) else {
            throw CryptoError.notAuthentic
        }
        let rest = UInt64(bytes.count - PublishedIdentity.fixedLength)
        let (tagCount, blockCount) = (number(at: RandomID.length + 8), number(at: RandomID.length + 16))
        // Each count alone first, so that the products cannot be too large.
        guard tagCount <= rest, blockCount <= rest, tagCount * UInt64(Tag.length) + blockCount * 8 <= rest else {
            throw CryptoError.notAuthentic
        }
        let firstBlock = PublishedIdentity.fixedLength + Int(tagCount) * Tag.length
        let nameStart = firstBlock + Int(blockCount) * 8
        account = AccountID(id)
        revision = Int64(bitPattern: number(at: RandomID.length))
        tags = (0..<Int(tagCount)).compactMap { index in
            Tag(part(PublishedIdentity.fixedLength + index * Tag.length, Tag.length))
        }
        blocked = (0..<Int(blockCount)).map { number(at: firstBlock + $0 * 8) }
        name = PersonName(bytes: Array(bytes[nameStart...]))
    }
}
