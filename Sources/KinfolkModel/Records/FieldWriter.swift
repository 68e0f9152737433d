/// Writes fields as bytes: for each its name (one byte of length, then ASCII), its type (one byte) and its value.
///
/// Integers are little-endian with a fixed width. Doubles are written as their bits; texts and bytes as a length of four bytes
/// and the bytes; lists as a count of four bytes and the values.
///
/// A reference to a user record is written as the ID's 16 bytes. Any other reference is written as its action (one byte) and the
/// target's name, because it names a record of the same zone. Such values, and lists with at least one of them, have
/// ``namedReferences`` added to their type. Version 0.1.0 wrote references to user records only.
///
/// An asset is written as its ID (16 bytes), its size (8) and its SHA-256 (32).
package struct FieldWriter {
    package private(set) var bytes: [UInt8] = []

    package init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    package init(_ fields: Fields) {
        self.init(capacity: fields.size + 8 * fields.count)
        append(fields)
    }

    package mutating func append(_ fields: Fields) {
        for (name, value) in fields {
            append(name: name)
            append(value)
        }
    }

    package mutating func append(byte: UInt8) { bytes.append(byte) }

    /// Writes a name of at most 255 bytes, after its length.
    package mutating func append(name: String) {
        bytes.append(UInt8(truncatingIfNeeded: name.utf8.count))
        bytes.append(contentsOf: name.utf8)
    }

    /// Added to the type of a reference or a list of references that are written with their names.
    static let namedReferences: UInt8 = 64

    package mutating func append(_ value: FieldValue) {
        let isNamed = value.hasNamedReferences
        bytes.append(value.type.rawValue + (isNamed ? FieldWriter.namedReferences : 0))
        switch value {
        case .string(let value): append(value)
        case .int64(let value): append(value)
        case .double(let value): append(value)
        case .boolean(let value): append(value)
        case .bytes(let value): append(value)
        case .date(let value): append(value)
        case .location(let value): append(value)
        case .reference(let value): append(value, isNamed)
        case .asset(let value): append(value)
        case .stringList(let values): append(values) { $0.append($1) }
        case .int64List(let values): append(values) { $0.append($1) }
        case .doubleList(let values): append(values) { $0.append($1) }
        case .booleanList(let values): append(values) { $0.append($1) }
        case .bytesList(let values): append(values) { $0.append($1) }
        case .dateList(let values): append(values) { $0.append($1) }
        case .locationList(let values): append(values) { $0.append($1) }
        case .referenceList(let values): append(values) { $0.append($1, isNamed) }
        case .assetList(let values): append(values) { $0.append($1) }
        }
    }

    private mutating func append<Element>(_ values: [Element], _ one: (inout FieldWriter, Element) -> Void) {
        appendLength(values.count)
        for value in values { one(&self, value) }
    }

    private mutating func append(_ value: String) {
        appendLength(value.utf8.count)
        bytes.append(contentsOf: value.utf8)
    }

    private mutating func append(_ value: Double) { appendFixed(value.bitPattern) }
    private mutating func append(_ value: Int64) { appendFixed(UInt64(bitPattern: value)) }
    private mutating func append(_ value: Bool) { bytes.append(value ? 1 : 0) }
    mutating func append(_ tie: UInt64) { appendFixed(tie) }
    package mutating func append(_ value: Timestamp) { append(value.microseconds) }
    package mutating func append(_ value: UserRecordID) { bytes.append(contentsOf: value.value.bytes) }

    private mutating func append(_ value: Reference, _ isNamed: Bool) {
        if !isNamed, let user = value.user { return append(user) }
        append(byte: UInt8(truncatingIfNeeded: value.action.rawValue))
        append(name: value.target.name)
    }

    private mutating func append(_ value: Asset) {
        bytes.append(contentsOf: value.id.bytes)
        appendFixed(UInt64(value.size.magnitude))
        bytes.append(contentsOf: value.sha256)
    }

    private mutating func append(_ value: Location) {
        append(value.latitude)
        append(value.longitude)
    }

    private mutating func append(_ value: [UInt8]) {
        appendLength(value.count)
        bytes.append(contentsOf: value)
    }

    private mutating func appendLength(_ length: Int) { appendFixed(UInt32(truncatingIfNeeded: length)) }

    private mutating func appendFixed(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }
}
