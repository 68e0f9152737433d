package import KinfolkCrypto
package import KinfolkModel

/// What the directory stores of a person: the name, and what proves that a hit is right. It is sealed together with the container
/// and the user record ID, so that it can be neither changed nor assigned to another person.
///
/// A hit is valid only if the account still has the stored revision. Every change of an authenticated row of the account
/// increases the revision, so a directory row that survived a change is invalid.
package struct PublishedIdentity {
    package let account: AccountID
    /// The account's revision when this was created.
    package let revision: Int64
    /// The tags under which the person may be found in this container.
    package let tags: [Tag]
    /// The people whom this person blocked, or the operator for this person: the first 8 bytes of their user record IDs, sorted
    /// as numbers. (IDs are random, so 8 bytes identify them.)
    package let blocked: [UInt64]
    package let name: PersonName

    package init(account: AccountID, revision: Int64, tags: [Tag], blocked: [UserRecordID], name: PersonName) {
        self.account = account
        self.revision = revision
        self.tags = tags
        self.blocked = PublishedIdentity.numbers(ofBlocked: blocked)
        self.name = name
    }

    /// Whether the person has blocked `record`.
    func hasBlocked(_ record: UserRecordID) -> Bool {
        let wanted = PublishedIdentity.number(record)
        var (low, high) = (0, blocked.count)
        while low < high {
            let middle = (low + high) / 2
            if blocked[middle] < wanted { low = middle + 1 } else { high = middle }
        }
        return low < blocked.count && blocked[low] == wanted
    }

    /// The form in which ``blocked`` has user record IDs.
    package static func numbers(ofBlocked records: [UserRecordID]) -> [UInt64] { records.map(number).sorted() }

    private static func number(_ record: UserRecordID) -> UInt64 { UInt64(bigEndian: record.value.tag.words.0) }

    // MARK: The sealed form

    /// The account ID, the revision, the number of tags and the number of blocks (8 bytes each, little-endian), the tags, the
    /// blocks, and the name.
    package var bytes: [UInt8] {
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

    /// - Throws: ``CryptoError/notAuthentic`` if the bytes do not have this form.
    package init(bytes: [UInt8]) throws {
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
        // Each count is checked alone first, so that the products cannot overflow.
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
