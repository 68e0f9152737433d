import KinfolkCrypto
package import KinfolkModel
import KinfolkRecords

/// The record of a key: its value, and the device that set it.
package struct KeyValueRecord {
    private static let value = "value"
    private static let device = "device"

    let key: KeyName
    private let bytes: [UInt8]
    /// The device that set the value.
    let device: [UInt8]

    package init(_ record: Record) throws(KinfolkError) {
        key = try KeyName(record: record.id.name)
        guard case .bytes(let value)? = record[KeyValueRecord.value],
            case .bytes(let device)? = record[KeyValueRecord.device]
        else { throw KinfolkError.damaged("A record of a key-value store cannot be read.") }
        (bytes, self.device) = (value, device)
    }

    /// The key.
    package var text: String { key.text }

    /// How many bytes the key and the value have.
    var size: Int { key.length + bytes.count }

    package func value() throws(KinfolkError) -> PropertyListValue { try PropertyListValue(encoded: bytes) }

    /// The record to be saved.
    static func record(_ key: KeyName, _ value: [UInt8], by device: RandomID) -> Record {
        var fields = Fields()
        fields[KeyValueRecord.device] = .bytes(device.bytes)
        fields[KeyValueRecord.value] = .bytes(value)
        let id = RecordID(valid: key.record, zone: ReservedZone.keyValueStore.name)
        return Record(type: ReservedType.keyValue.name, id: id, state: nil, fields: fields)
    }
}
