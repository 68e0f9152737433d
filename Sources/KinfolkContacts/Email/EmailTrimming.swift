import KinfolkModel

/// Trims what may surround an address: Unicode's White_Space, and U+FEFF, with which files may begin.
enum EmailTrimming {
    static func trimmedRange(of text: Span<UInt8>) -> Range<Int> {
        var start = 0
        var end = text.count
        while start < end {
            let width = leadingSpaceWidth(text, start, end)
            if width == 0 { break }
            start += width
        }
        while end > start {
            let width = trailingSpaceWidth(text, start, end)
            if width == 0 { break }
            end -= width
        }
        ReadingSteps.take(text.count - (end - start) + 2)
        return start..<end
    }

    /// The length of the white space at `start`, or 0.
    static func leadingSpaceWidth(_ text: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
        let first = text[start]
        if first < 0x80 { return ASCII.isSpace(first) ? 1 : 0 }
        if end - start >= 2, isTwoByteSpace(first, text[start + 1]) { return 2 }
        if end - start >= 3, isThreeByteSpace(first, text[start + 1], text[start + 2]) { return 3 }
        return 0
    }

    private static func trailingSpaceWidth(_ text: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
        let last = text[end - 1]
        if last < 0x80 { return ASCII.isSpace(last) ? 1 : 0 }
        if end - start >= 2, isTwoByteSpace(text[end - 2], last) { return 2 }
        if end - start >= 3, isThreeByteSpace(text[end - 3], text[end - 2], last) { return 3 }
        return 0
    }

    /// U+0085 (next line), U+00A0 (no-break space).
    private static func isTwoByteSpace(_ first: UInt8, _ second: UInt8) -> Bool {
        first == 0xC2 && (second == 0x85 || second == 0xA0)
    }

    private static func isThreeByteSpace(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Bool {
        switch (first, second) {
        case (0xE1, 0x9A): third == 0x80  // U+1680
        // U+2000-200A, 2028, 2029, 202F
        case (0xE2, 0x80): third <= 0x8A || third == 0xA8 || third == 0xA9 || third == 0xAF
        case (0xE2, 0x81): third == 0x9F  // U+205F
        case (0xE3, 0x80): third == 0x80  // U+3000
        case (0xEF, 0xBB): third == 0xBF  // U+FEFF
        default: false
        }
    }
}
