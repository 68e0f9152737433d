import KinfolkModel

/// What the fields of a row hold, regardless of their header.
extension CSVRow {
    /// The number of addresses in one field that are checked to classify the field.
    private static let maximumAddressesLookedAt = 4

    /// Whether a field has no bytes.
    package func isEmpty(at index: Int) -> Bool { withField(at: index) { $0.isEmpty } }

    /// Whether a field has an `@`, ASCII or full-width. A field without one is not an address.
    func hasAtSign(at index: Int) -> Bool {
        withField(at: index) { field in
            if field.contains(UInt8(ascii: "@")) { return true }
            var start = 0
            while true {
                let last = field.firstIndex(of: 0xA0, from: start)
                guard last < field.count else { return false }
                if last >= 2, field[last - 1] == 0xBC, field[last - 2] == 0xEF { return true }
                start = last + 1
            }
        }
    }

    /// The first address of a field that holds only addresses.
    package struct Address {
        package let hash: ContactHash
        /// Whether the field holds no other address.
        let isOnly: Bool
        /// Whether the field holds nothing but this address: neither a name nor white space.
        package let isPlain: Bool
    }

    /// The first address of a field. Nil if the field holds anything but addresses, such as a text that mentions an address.
    package func address(at index: Int) -> Address? {
        guard hasAtSign(at: index) else { return nil }
        return withField(at: index) { field in
            if let hash = ContactHash(plainEmail: field) { return Address(hash: hash, isOnly: true, isPlain: true) }
            return Windows1252.withRepaired(field) { Self.address(in: $0) }
        }
    }

    private static func address(in field: Span<UInt8>) -> Address? {
        var first: ContactHash?
        var count = 0
        var start = 0
        while count < maximumAddressesLookedAt, let part = AddressText.nextPart(of: field, from: &start) {
            guard let hash = try? AddressText(field, part).hash(in: field) else { return nil }
            first = first ?? hash
            count += 1
        }
        return first.map { Address(hash: $0, isOnly: count == 1, isPlain: false) }
    }

    /// Whether a field with an `@` was probably meant as an address. It was not if it begins with `@`, as user names on websites
    /// do, or contains spaces, as a text that mentions an address does.
    func isLikeAddress(at index: Int) -> Bool {
        withField(at: index) { field in
            let text = field.extracting(field.trimmedASCIIRange)
            return !text.contains(0x20) && text.firstIndex(of: UInt8(ascii: "@")) > 0
        }
    }

    /// Whether any field has an `@`.
    var hasAtSign: Bool { (0..<count).contains { hasAtSign(at: $0) } }

    /// Whether any field is an address.
    package var hasAddress: Bool { (0..<count).contains { address(at: $0) != nil } }

    /// Whether a field could be a name: it has a letter, and is neither an address nor a link.
    func isText(at index: Int) -> Bool {
        guard !hasAtSign(at: index) else { return false }
        return withField(at: index) { field in
            if field.hasASCIIPrefix("http:") || field.hasASCIIPrefix("https:") { return false }
            ReadingSteps.take(field.count)
            for place in field.indices where ASCII.isLetter(field[place]) || field[place] >= 0x80 { return true }
            return false
        }
    }

    /// Whether a field equals the first or the last words of another field.
    func isPart(_ part: Int, of whole: Int) -> Bool {
        withField(at: part) { part in
            withField(at: whole) { whole in
                let rest = whole.count - part.count
                guard rest > 1, !part.isEmpty else { return false }
                return whole[part.count] == 0x20 && part.isEqual(to: whole.extracting(first: part.count))
                    || whole[rest - 1] == 0x20 && part.isEqual(to: whole.extracting(last: part.count))
            }
        }
    }
}
