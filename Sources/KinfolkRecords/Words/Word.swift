import CUnistring
package import KinfolkModel

/// A word of a text, as SEARCHABLE indexes compare words: without regard to case.
///
/// A text is segmented at the word boundaries of Unicode Standard Annex 29, as libunistring finds them. A segment is a word if it has a
/// letter or a digit. Word boundaries do not depend on a dictionary: each ideograph is a word, and so is each letter of Thai, with its
/// marks.
package struct Word: Hashable, Sendable {
    /// The most bytes of a word. Words that begin with the same bytes, and are longer, are the same word.
    package static let maximumLength = 255
    /// The most different words in the SEARCHABLE fields of one record.
    package static let maximumCount = 20_000

    /// UTF-8, folded and normalised as the values of QUERYABLE fields are; 1 to 255 bytes.
    package let bytes: [UInt8]

    /// All bytes at once: that of an array takes them one by one.
    package func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }

    /// A word that was stored.
    init?(stored bytes: [UInt8]) {
        guard (1...Word.maximumLength).contains(bytes.count) else { return nil }
        self.bytes = bytes
    }

    private init?(folding segment: UnsafeBufferPointer<UInt8>) {
        let folded = IndexValue(folding: segment).bytes
        guard folded.count > Word.maximumLength else {
            self.init(stored: folded)
            return
        }
        // Up to the start of a scalar.
        var end = Word.maximumLength
        while end > 0, folded[end] & 0xc0 == 0x80 { end -= 1 }
        self.init(stored: Array(folded[..<end]))
    }

    /// The different words of a text.
    package static func all(in text: String) -> Set<Word> {
        var words: Set<Word> = []
        collect(from: text, &words)
        return words
    }

    /// The different words of a text, or of all texts of a list. Other values have none.
    package static func all(in value: FieldValue) -> Set<Word> {
        var words: Set<Word> = []
        switch value {
        case .string(let text): collect(from: text, &words)
        case .stringList(let texts): for text in texts { collect(from: text, &words) }
        default: break
        }
        return words
    }

    private static func collect(from text: String, _ words: inout Set<Word>) {
        var text = text
        text.withUTF8 { text in
            guard let start = text.baseAddress else { return }
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: text.count) { boundaries in
                u8_wordbreaks(start, text.count, boundaries.baseAddress)
                var first = 0
                while first < text.count {
                    var end = first + 1
                    while end < text.count, boundaries[end] == 0 { end += 1 }
                    let segment = UnsafeBufferPointer(rebasing: text[first..<end])
                    if isWord(segment), let word = Word(folding: segment) { words.insert(word) }
                    first = end
                }
            }
        }
    }

    /// Whether there is a letter or a digit: a scalar of the general category L or N.
    private static func isWord(_ segment: UnsafeBufferPointer<UInt8>) -> Bool {
        var rest = segment[...]
        while let first = rest.first {
            if first < 0x80 {
                if (0x30...0x39).contains(first) || (0x61...0x7a).contains(first | 0x20) { return true }
                rest = rest.dropFirst()
                continue
            }
            var scalar: ucs4_t = 0
            let part = UnsafeBufferPointer(rebasing: rest)
            let length = u8_mbtouc(&scalar, part.baseAddress, part.count)
            let mask = UInt32(UC_CATEGORY_MASK_L | UC_CATEGORY_MASK_N)
            if uc_is_general_category_withtable(scalar, mask) { return true }
            rest = rest.dropFirst(max(1, Int(length)))
        }
        return false
    }
}
