/// What the pages know about URLs.
enum PageURL {
    /// Schemes that run a script, or show what the page or another program has.
    private static let refusedSchemes: Set<String> = [
        "about", "blob", "data", "file", "filesystem", "javascript", "vbscript", "view-source",
    ]

    /// Whether a text is an origin (RFC 6454, 6.2) of a website: `https://app.example.com`, with a port if it is not the usual one.
    static func isOrigin(_ text: String) -> Bool {
        guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return false }
        let host = text.utf8.dropFirst(scheme.utf8.count)
        return !host.isEmpty && host.allSatisfy { isLetter($0) || isDigit($0) || ".-:[]".utf8.contains($0) }
    }

    /// The origin of a URL of a website; nil for other texts, so that nobody can write on a page by a link.
    static func origin(of url: String) -> String? {
        guard let scheme = ["https://", "http://"].first(where: url.hasPrefix) else { return nil }
        let origin = scheme + url.dropFirst(scheme.count).prefix { !"/?#\\".contains($0) }
        return isOrigin(origin) ? origin : nil
    }

    /// Whether a link or a form may lead to a URL: a path of this service, a part of the page, or an absolute URL whose scheme runs
    /// nothing. Schemes of applications such as `com.example.notes:` are accepted.
    static func isSafe(_ url: String) -> Bool {
        // Browsers ignore spaces and line breaks in some places, which could hide a scheme.
        guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return false }
        if url.hasPrefix("#") { return true }
        if url.hasPrefix("/") { return !url.hasPrefix("//") && !url.hasPrefix("/\\") }
        guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let scheme = url[..<colon].lowercased()
        guard let first = scheme.utf8.first, isLetter(first), !refusedSchemes.contains(scheme) else { return false }
        return scheme.utf8.allSatisfy {
            isLetter($0) || isDigit($0) || "+-.".utf8.contains($0)
        }
    }

    /// A URL with one more item in its query.
    static func adding(_ name: String, _ value: String, to url: String) -> String {
        let parts = url.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let separator = parts[0].contains("?") ? "&" : "?"
        let fragment = parts.count > 1 ? "#" + parts[1] : ""
        return "\(parts[0])\(separator)\(name)=\(encoded(value))\(fragment)"
    }

    /// A text with everything but unreserved characters percent-encoded (RFC 3986, 2.3).
    static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isLetter(byte) || isDigit(byte) || "-._~".utf8.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
