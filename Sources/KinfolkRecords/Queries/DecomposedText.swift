import CUnistring
import Glibc
import KinfolkModel

/// A text in NFD, in which equal texts have equal bytes. Upper and lower case differ.
struct DecomposedText: Sendable, Hashable {
    let bytes: [UInt8]

    /// Without memory for the decomposed text, the text itself.
    init(_ text: String) {
        var text = text
        bytes = text.withUTF8 { text in
            guard text.contains(where: { $0 >= 0x80 }) else { return Array(text) }
            var length = 0
            guard let start = text.baseAddress,
                let decomposed = u8_normalize(cunistring_nfd(), start, text.count, nil, &length)
            else { return Array(text) }
            defer { free(decomposed) }
            return Array(UnsafeBufferPointer(start: decomposed, count: length))
        }
    }

    /// Nil for a value that is not a text.
    init?(of value: FieldValue) {
        guard case .string(let text) = value else { return nil }
        self.init(text)
    }

    func hasPrefix(_ prefix: DecomposedText) -> Bool { bytes.starts(with: prefix.bytes) }
}
