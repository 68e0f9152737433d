import KinfolkModel

extension ContactFormat {
    /// How many bytes of a file are examined to detect its format.
    static let sampleByteCount = 1 << 16

    /// The format detected from the beginning of a file, or nil if the format is not supported. An empty file is an empty list.
    ///
    /// - Parameters:
    ///   - sample: The first bytes of the file.
    ///   - isAll: Whether that is the whole file.
    package init?(detecting sample: Span<UInt8>, isAll: Bool) {
        guard ForeignContent(binary: sample) == nil else { return nil }
        let text = Self.decoded(sample, isAll: isAll)
        let lines = LinesSeen(text.span, isAll: isAll)
        let foreign = ForeignContent(text: text.span)
        let table = CSVSample.kind(of: text.span, isAll: isAll)
        if lines.hasCard {
            self = .vCard
        } else if JCardSeen(text.span).hasCard {
            self = .jCard
        } else if lines.hasEntry {
            self = .ldif
        } else if foreign?.mayHoldList == false {
            return nil
        } else if table == .header {
            self = .csv
        } else if ListSeen(text.span, isAll: isAll).isList {
            self = .list
        } else if table == .addresses || table == .table && foreign == nil {
            self = .csv
        } else {
            return nil
        }
    }

    /// Decodes a sample to text.
    package static func decoded(_ sample: Span<UInt8>, isAll: Bool) -> [UInt8] {
        var text: [UInt8] = []
        var decoder = TextDecoder()
        // Only the closures could throw, and they do not.
        try? decoder.push(sample) { text.append($0) }
        if isAll { try? decoder.finish { text.append($0) } }
        return text
    }

    /// The lines that identify a vCard or LDIF.
    private struct LinesSeen {
        /// Whether a vCard begins anywhere.
        private(set) var hasCard = false
        /// Whether the text begins with an LDIF entry, or with the LDIF version and then an entry.
        private(set) var hasEntry = false
        private var isBeginning = true
        private var isAfterComment = false

        init(_ text: Span<UInt8>, isAll: Bool) {
            var lines = LineReader()
            try? lines.push(text) { line, _, _ in look(at: line) }
            if isAll || isBeginning { try? lines.finish { line, _, _ in look(at: line) } }
        }

        private mutating func look(at line: Span<UInt8>) {
            guard !hasCard else { return }
            let content = line.extracting(line.trimmedASCIIRange)
            guard !content.isEmpty else { return }
            var nameEnd = 0
            if VCardProperty(of: content, nameEnd: &nameEnd) == .begin, let parts = VCardLine(content) {
                let value = content.extracting(parts.value)
                hasCard = value.extracting(value.trimmedASCIIRange).isASCII("vcard")
            }
            guard isBeginning else { return }
            let isFolded = line[0] == 0x20 || line[0] == 0x09
            isAfterComment = content[0] == UInt8(ascii: "#") || isAfterComment && isFolded
            guard !isAfterComment else { return }
            switch LDIFAttribute(of: content, nameEnd: &nameEnd) {
            case .version?: isBeginning = nameEnd < content.count
            case .distinguishedName?:
                hasEntry = nameEnd < content.count
                isBeginning = false
            default: isBeginning = false
            }
        }
    }

    /// Whether the text is JSON with an array whose first element is “vcard”.
    private struct JCardSeen {
        let hasCard: Bool

        init(_ text: Span<UInt8>) {
            let content = text.extracting(text.trimmedASCIIRange)
            guard !content.isEmpty, content[0] == UInt8(ascii: "[") || content[0] == UInt8(ascii: "{") else {
                hasCard = false
                return
            }
            var index = 0
            var isAfterBracket = false
            while index < content.count {
                let byte = content[index]
                if isAfterBracket, content.extracting(index..<content.count).hasASCIIPrefix("\"vcard\"") { break }
                if !ASCII.isSpace(byte) { isAfterBracket = byte == UInt8(ascii: "[") }
                index += 1
            }
            ReadingSteps.take(2 * index)
            hasCard = index < content.count
        }
    }

    /// Whether nearly every line is an address or a hash, or several addresses. Blank lines and comments do not count.
    private struct ListSeen {
        private var entries = 0
        private var others = 0

        init(_ text: Span<UInt8>, isAll: Bool) {
            var lines = LineReader()
            try? lines.push(text) { line, _, _ in look(at: line, isWhole: true) }
            if isAll || entries + others == 0 {
                try? lines.finish { line, _, _ in look(at: line, isWhole: isAll) }
            }
        }

        /// Whether the text is a list: all lines but one (a heading), or at least nine of ten, are entries. True if there are no lines.
        var isList: Bool { entries + others == 0 || entries > 0 && others <= max(1, (entries + others) / 10) }

        private mutating func look(at line: Span<UInt8>, isWhole: Bool) {
            let content = line.extracting(line.trimmedASCIIRange)
            guard !content.isEmpty, content[0] != UInt8(ascii: "#") else { return }
            let isCut = !isWhole || line.count >= LineReader.maximumByteCount
            if ContactHash(hexDigits: content) != nil || Self.isAddresses(content, isCut: isCut) {
                entries += 1
            } else {
                others += 1
            }
        }

        /// Whether the line holds only addresses. In a truncated line, the last address is ignored.
        private static func isAddresses(_ line: Span<UInt8>, isCut: Bool) -> Bool {
            Windows1252.withRepaired(line) { areAddresses($0, isCut: isCut) }
        }

        private static func areAddresses(_ line: Span<UInt8>, isCut: Bool) -> Bool {
            var start = 0
            var count = 0
            while let part = AddressText.nextPart(of: line, from: &start) {
                if isCut, start == line.count { break }
                guard isAddress(part, in: line) else { return false }
                count += 1
            }
            return count > 0
        }

        /// `email=ada@example.com` is a valid address, but more likely a line of another format.
        private static func isAddress(_ part: Range<Int>, in line: Span<UInt8>) -> Bool {
            let address = AddressText(line, part)
            guard !line.extracting(address.address).contains(UInt8(ascii: "=")) else { return false }
            return (try? address.hash(in: line)) != nil
        }
    }
}
