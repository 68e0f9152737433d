package import KinfolkModel

/// A value as a SORTABLE index compares it: by the order of these bytes.
package struct OrderValue: Hashable, Comparable, Sendable {
    package let bytes: [UInt8]

    /// Nil if the field has no order. Lists, bytes, references, places and assets have none. NaN is neither smaller nor greater than another
    /// number, and so a record with it is sorted like one without a value.
    ///
    /// Texts are compared as QUERYABLE indexes compare them, without regard to case; -0.0 equals 0.0.
    package init?(_ value: FieldValue) {
        switch value {
        case .string:
            guard let folded = IndexValue.all(of: value).first else { return nil }
            self.init(bytes: folded.bytes)
        case .int64(let number): self.init(number)
        case .date(let date): self.init(date.microseconds)
        case .boolean(let value): self.init(bytes: [value ? 1 : 0])
        case .double(let number):
            guard !number.isNaN else { return nil }
            let bits = (number == 0 ? 0 : number).bitPattern
            let sign: UInt64 = 1 << 63
            self.init(ordered: bits & sign == 0 ? bits | sign : ~bits)
        case .bytes, .location, .reference, .stringList, .int64List, .doubleList, .booleanList, .bytesList, .dateList,
            .locationList, .referenceList, .asset, .assetList:
            return nil
        }
    }

    /// A value that is greater than all texts that begin with this one, and less than all other texts that are greater than it.
    package init(endOfTextsBeginningWith text: IndexValue) {
        // No UTF-8 text has this byte.
        self.init(bytes: text.bytes + [0xff])
    }

    private init(_ number: Int64) { self.init(ordered: UInt64(bitPattern: number) ^ 1 << 63) }

    private init(ordered: UInt64) { self.init(bytes: withUnsafeBytes(of: ordered.bigEndian, Array.init)) }

    package init(bytes: [UInt8]) { self.bytes = bytes }

    package static func < (left: OrderValue, right: OrderValue) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}
