import KinfolkCrypto
package import KinfolkModel

/// A row of a private directory: a tag of 8 bytes, a salt of 8 bytes, and the sealed user record ID (16 + 16).
///
/// Tag and key are derived from the output of the oblivious function for the person's contact hash (HKDF-Expand of RFC 5869 with
/// SHA-512). A key seals only one ID, because another ID for the same address has another salt.
package struct DirectoryRow {
    package static let length = DirectoryTag.length + sealedLength
    /// The length of the salt and the sealed ID.
    package static let sealedLength = saltLength + RandomID.length + OneTimeSeal.overhead
    private static let saltLength = 8

    /// What is derived from an output.
    package struct Key {
        package let tag: DirectoryTag
        private let expander: HMACSHA512

        /// Derives the tag and the keys from an output of 64 bytes.
        package init(_ output: UnsafeRawBufferPointer) {
            let expander = HMACSHA512(key: output)
            self.expander = expander
            var tag: UInt64 = 0
            withUnsafeMutableBytes(of: &tag) { expander.expand("kinfolk/2/tag", into: $0) }
            self.tag = DirectoryTag(UInt64(bigEndian: tag))
        }

        fileprivate func withSealingKey<Result>(
            _ salt: UnsafeRawBufferPointer,
            _ body: (UnsafeRawBufferPointer) -> Result
        ) -> Result {
            withUnsafeTemporaryAllocation(byteCount: OneTimeSeal.keyLength, alignment: 8) { key in
                defer { wipe(key) }
                expander.expand("kinfolk/2/row", salt, into: key)
                return body(UnsafeRawBufferPointer(key))
            }
        }
    }

    /// The directory for which rows are sealed: they cannot be opened for another directory.
    package struct Place: Sendable {
        private let start: [UInt8]
        private let end: [UInt8]

        package init(container: String, epoch: UInt32) {
            start = Array("kinfolk/2/row".utf8) + withUnsafeBytes(of: epoch.bigEndian, Array.init)
            end = Array(container.utf8)
        }

        /// The associated data of a row.
        fileprivate func withAssociated<Result>(
            _ tag: DirectoryTag,
            _ body: (UnsafeRawBufferPointer) -> Result
        ) -> Result {
            let length = start.count + DirectoryTag.length + end.count
            return withUnsafeTemporaryAllocation(byteCount: length, alignment: 8) { bytes in
                bytes.copyBytes(from: start)
                bytes.storeBytes(of: tag.value.bigEndian, toByteOffset: start.count, as: UInt64.self)
                let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[(start.count + DirectoryTag.length)...])
                rest.copyBytes(from: end)
                return body(UnsafeRawBufferPointer(bytes))
            }
        }
    }

    /// Writes the salt and the sealed ID: ``sealedLength`` bytes.
    package static func seal(
        _ record: UserRecordID,
        _ key: Key,
        at place: Place,
        into sealed: UnsafeMutableRawBufferPointer
    ) {
        let salt = UnsafeMutableRawBufferPointer(rebasing: sealed[..<saltLength])
        SecureRandom.fill(salt)
        key.withSealingKey(UnsafeRawBufferPointer(salt)) { sealingKey in
            place.withAssociated(key.tag) { associated in
                record.value.tag.withUnsafeBytes { record in
                    let output = UnsafeMutableRawBufferPointer(rebasing: sealed[saltLength...])
                    OneTimeSeal.seal(record, associated, under: sealingKey, into: output)
                }
            }
        }
    }

    /// Opens the ID from the salt and the sealed ID; nil if the row belongs to another address.
    package static func open(_ sealed: UnsafeRawBufferPointer, _ key: Key, at place: Place) -> UserRecordID? {
        guard sealed.count == sealedLength else { return nil }
        let salt = UnsafeRawBufferPointer(rebasing: sealed[..<saltLength])
        return key.withSealingKey(salt) { sealingKey in
            place.withAssociated(key.tag) { associated in
                withUnsafeTemporaryAllocation(byteCount: RandomID.length, alignment: 8) { record in
                    let rest = UnsafeRawBufferPointer(rebasing: sealed[saltLength...])
                    guard OneTimeSeal.open(rest, associated, under: sealingKey, into: record) else { return nil }
                    return RandomID(bytes: UnsafeRawBufferPointer(record)).map(UserRecordID.init)
                }
            }
        }
    }
}
