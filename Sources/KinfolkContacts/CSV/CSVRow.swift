import KinfolkModel

/// One row of a table: its fields, without their quotation marks, and its line number.
package struct CSVRow {
    /// The line where the row begins, counted from 1 as in a text editor: a quoted field may contain line breaks.
    package internal(set) var line = 1

    /// Why the row is incomplete, or nil if it is complete. Do not rely on the fields of an incomplete row.
    package internal(set) var fault: SkipReason?

    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    /// How many fields there are: at least one.
    package var count: Int { ends.count }

    /// A field as text, empty if there is no such field. A field that is not UTF-8 is decoded as Windows-1252.
    package subscript(index: Int) -> String {
        withField(at: index) { field in
            Windows1252.withRepaired(field) { text in
                text.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
            }
        }
    }

    /// Calls `body` with the bytes of a field; empty if there is no such field.
    package func withField<Result, Failure: Error>(
        at index: Int,
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        ReadingSteps.take(1)
        guard ends.indices.contains(index) else { return try body(bytes.span.extracting(0..<0)) }
        return try body(bytes.span.extracting((index > 0 ? ends[index - 1] : 0)..<ends[index]))
    }

    /// Whether this is a blank line.
    var isBlank: Bool { ends.count == 1 && bytes.isEmpty && fault == nil }

    /// The bytes of the fields, plus one for each field because empty fields take memory too.
    package var byteCount: Int { bytes.count + ends.count }

    package mutating func append(_ part: Span<UInt8>) { bytes.append(part) }

    mutating func endField() { ends.append(bytes.count) }

    package mutating func clear(line: Int) {
        self.line = line
        fault = nil
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }
}
