import CUnistring
import Glibc
package import KinfolkModel

/// The bytes under which a value is in a QUERYABLE index: equal for values that a query takes for equal.
package struct IndexValue: Hashable, Sendable {
    package let bytes: [UInt8]

    /// The values under which a field is found: one for each element of a list, each value once. NaN equals nothing, and so has
    /// none.
    package static func all(of value: FieldValue) -> [IndexValue] {
        var all: [IndexValue] = []
        forEach(of: value) { all.append($0) }
        return all
    }

    /// Calls `body` with each value under which a field is found.
    package static func forEach(of value: FieldValue, _ body: (IndexValue) -> Void) {
        switch value {
        case .string(let value): body(IndexValue(value))
        case .int64(let value): body(IndexValue(value))
        case .double(let value): IndexValue(value).map(body)
        case .boolean(let value): body(IndexValue(value ? 1 : 0))
        case .bytes(let value): body(IndexValue(bytes: value))
        case .date(let value): body(IndexValue(value.microseconds))
        case .reference(let value): body(IndexValue(value))
        case .stringList(let values): Set(values.map(IndexValue.init(_:))).forEach(body)
        case .int64List(let values): Set(values.map(IndexValue.init(_:))).forEach(body)
        case .doubleList(let values): Set(values.compactMap(IndexValue.init(_:))).forEach(body)
        case .booleanList(let values): Set(values.map { IndexValue($0 ? 1 : 0) }).forEach(body)
        case .bytesList(let values): Set(values.map(IndexValue.init(bytes:))).forEach(body)
        case .dateList(let values): Set(values.map { IndexValue($0.microseconds) }).forEach(body)
        case .referenceList(let values): Set(values.map(IndexValue.init(_:))).forEach(body)
        // Places are found by distance, and not by equality. Assets are not found by their fields.
        case .location, .locationList, .asset, .assetList: break
        }
    }

    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// The date of the value of a date field.
    var date: Timestamp? {
        guard bytes.count == 8 else { return nil }
        return Timestamp(microseconds: Int64(bitPattern: bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }))
    }

    private init(_ number: Int64) { bytes = withUnsafeBytes(of: number.littleEndian, Array.init) }

    private init?(_ number: Double) {
        guard !number.isNaN else { return nil }
        // 0.0 and -0.0 are equal.
        bytes = withUnsafeBytes(of: (number == 0 ? 0 : number).bitPattern.littleEndian, Array.init)
    }

    /// A user record ID; or the name of a record and its zone, and between them a NUL, which neither has.
    private init(_ reference: Reference) {
        let target = reference.target
        bytes = reference.user?.value.bytes ?? Array(target.name.utf8) + [0] + Array(target.zone.utf8)
    }

    /// A text without regard to case: its case folding, normalised to NFD. So the value of a prefix is a prefix of the value, and
    /// letters with accents follow those without. Without memory for that, the text itself.
    private init(_ text: String) {
        var text = text
        self = text.withUTF8(IndexValue.init(folding:))
    }

    /// A text of valid UTF-8.
    init(folding text: UnsafeBufferPointer<UInt8>) {
        guard text.contains(where: { $0 >= 0x80 }) else {
            bytes = text.map { (0x41...0x5a).contains($0) ? $0 + 0x20 : $0 }
            return
        }
        var length = 0
        guard let start = text.baseAddress,
            let folded = u8_casefold(start, text.count, nil, cunistring_nfd(), nil, &length)
        else {
            bytes = Array(text)
            return
        }
        defer { free(folded) }
        bytes = Array(UnsafeBufferPointer(start: folded, count: length))
    }
}
