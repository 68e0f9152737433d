/// The items of the query of a URL.
struct QueryItems {
    private let items: [(name: Substring, value: Substring)]
    private let hasSpaces: Bool

    /// - Parameter hasSpaces: Whether a plus sign is a space, as in forms (WHATWG URL, section 5.1). Otherwise it is itself: some clients do
    ///   not encode those of their tokens.
    init(_ query: String, hasSpaces: Bool = false) {
        self.hasSpaces = hasSpaces
        items = query.split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (parts[0], parts.count > 1 ? parts[1] : "")
        }
    }

    /// The decoded value of the first item with this name; nil if there is none, or if it is not UTF-8.
    subscript(name: String) -> String? {
        guard let value = items.first(where: { $0.name == name })?.value else { return nil }
        return QueryItems.decoded(hasSpaces ? value.replacing("+", with: " ") : value)
    }

    /// Whether there is an item with this name, whatever its value.
    func contains(_ name: String) -> Bool { items.contains { $0.name == name } }

    /// Nil if it is not UTF-8 with valid percent-encoding.
    static func decoded(_ text: Substring) -> String? {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
