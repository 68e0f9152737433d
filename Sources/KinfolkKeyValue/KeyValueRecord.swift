import KinfolkCrypto
package import KinfolkModel
import KinfolkRecords

/// The record of a key: its value, and the device that set it.
package struct KeyValueRecord {
    private static let value = "value"
    private static let device = "device"

    let key: KeyName
    private let record: Record

    package init(_ record: Record) {
        key = KeyName(record: record.id.name)
        self.record = record
    }

    /// The bytes of a field: a look at changes decodes no values.
    private func bytes(_ field: String) throws(KinfolkError) -> [UInt8] {
        guard case .bytes(let bytes)? = record[field] else {
            throw KinfolkError.damaged("A record of a key-value store cannot be read.")
        }
        return bytes
    }

    /// The device that set the value.
    func device() throws(KinfolkError) -> [UInt8] { try bytes(KeyValueRecord.device) }

    /// The key.
    package func text() throws(KinfolkError) -> String { try key.text() }

    /// How many bytes the key and the value have.
    func size() throws(KinfolkError) -> Int { try key.length + bytes(KeyValueRecord.value).count }

    package func value() throws(KinfolkError) -> PropertyListValue {
        try PropertyListValue(encoded: bytes(KeyValueRecord.value))
    }

    /// The record to be saved.
    static func record(_ key: KeyName, _ value: [UInt8], by device: RandomID) -> Record {
        var fields = Fields()
        fields[KeyValueRecord.device] = .bytes(device.bytes)
        fields[KeyValueRecord.value] = .bytes(value)
        let id = RecordID(valid: key.record, zone: ReservedZone.keyValueStore.name)
        return Record(type: ReservedType.keyValue.name, id: id, state: nil, fields: fields)
    }
}
