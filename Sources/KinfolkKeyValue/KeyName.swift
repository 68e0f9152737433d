import KinfolkModel

/// A valid key, and the name of its record: the hexadecimal digits of its UTF-8. So all keys are names, and different keys have different
/// ones, also if they differ only in their normalization form.
struct KeyName: Hashable {
    let record: String

    init(_ key: String) throws(KinfolkError) {
        let bytes = Array(key.utf8)
        guard (1...KeyValueStore.maximumKeyLength).contains(bytes.count), !bytes.contains(0) else {
            throw KinfolkError(
                .invalidArgument,
                "A key has 1 to \(KeyValueStore.maximumKeyLength) bytes of UTF-8, without U+0000."
            )
        }
        record = Hexadecimal.text(bytes)
    }

    /// The name of a record.
    init(record: String) { self.record = record }

    /// The key.
    ///
    /// - Throws: ``KinfolkError/Code/storeCorrupt`` if the record has another name than that of a key.
    func text() throws(KinfolkError) -> String {
        guard let bytes = Hexadecimal.bytes(record.utf8), let text = String(validating: bytes, as: UTF8.self) else {
            throw KinfolkError.damaged("A key of a key-value store cannot be read.")
        }
        return text
    }

    /// How many bytes the key has.
    var length: Int { record.utf8.count / 2 }
}

extension KeyName: Comparable {
    /// In the order of the bytes of the keys, which is that of their digits.
    static func < (left: KeyName, right: KeyName) -> Bool { left.record < right.record }
}
