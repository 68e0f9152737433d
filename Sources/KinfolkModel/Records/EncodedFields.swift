/// Fields as ``FieldWriter`` wrote them, checked and in the order of their names. A value is decoded when it is asked for: a
/// program that reads many records often needs few of their fields, and each text and list takes memory of its own.
struct EncodedFields: Sendable {
    /// More fields than this are decoded at once. Otherwise, to ask for each of them would take quadratic time.
    static let maximumCount = 16

    /// The bytes of the record, which end with those of the fields.
    private let bytes: [UInt8]
    private let start: Int
    /// The zone of the record, in which the targets of its references are.
    private let zone: String
    /// How many fields there are.
    let count: Int
    /// The bytes of all names and values, counted as in ``FieldValue/size``.
    let size: Int

    /// - Parameters:
    ///   - bytes: Bytes of which `FieldReader.check` has checked those from `start` on.
    init(_ bytes: [UInt8], from start: Int, zone: String, count: Int, size: Int) {
        self.bytes = bytes
        self.start = start
        self.zone = zone
        self.count = count
        self.size = size
    }

    /// All names and values.
    var decoded: (names: [String], values: [FieldValue]) {
        // The bytes were checked, so nothing is thrown.
        (try? reading { try $0.fields(capacity: count) }) ?? ([], [])
    }

    subscript(name: String) -> FieldValue? {
        var name = name
        return name.withUTF8 { name in
            (try? reading { try $0.value(of: UnsafeRawBufferPointer(name)) }) ?? nil
        }
    }

    private func reading<Result>(_ body: (inout FieldReader) throws -> Result) throws -> Result {
        try bytes.withUnsafeBytes { bytes in
            var reader = FieldReader(bytes.dropFirst(start), zone: zone)
            return try body(&reader)
        }
    }
}
