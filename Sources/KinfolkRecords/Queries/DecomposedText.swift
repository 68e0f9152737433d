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

    /// Whether it contains another text. It takes linear time (Knuth, Morris, Pratt, 1977).
    func contains(_ part: DecomposedText) -> Bool {
        let part = part.bytes
        guard !part.isEmpty else { return true }
        guard part.count <= bytes.count else { return false }
        // For each beginning of the part, the length of its longest end that is a beginning too.
        var borders = [0]
        borders.reserveCapacity(part.count)
        var length = 0
        for byte in part.dropFirst() {
            while length > 0, part[length] != byte { length = borders[length - 1] }
            if part[length] == byte { length += 1 }
            borders.append(length)
        }
        length = 0
        for byte in bytes {
            while length > 0, part[length] != byte { length = borders[length - 1] }
            if part[length] == byte { length += 1 }
            if length == part.count { return true }
        }
        return false
    }
}
