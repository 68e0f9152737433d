/// The fields of a form that a browser sent (`application/x-www-form-urlencoded`, WHATWG URL, section 5.1).
struct FormFields {
    private let fields: [String: String]

    /// - Parameter body: At most some thousand bytes.
    init(_ body: [UInt8]) {
        var fields: [String: String] = [:]
        for item in body.split(separator: UInt8(ascii: "&")) {
            let parts = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = FormFields.decoded(parts[0]),
                let value = FormFields.decoded(parts.count > 1 ? parts[1] : []),
                fields[name] == nil
            else { continue }
            fields[name] = value
        }
        self.fields = fields
    }

    subscript(name: String) -> String { fields[name] ?? "" }

    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String? {
        let text = String(decoding: bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
        return QueryItems.decoded(text[...])
    }
}
