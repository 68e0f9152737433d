package import KinfolkModel

/// The form of an origin as browsers send it (RFC 6454, section 6.2).
package enum WebOrigin {
    private static let maximumLength = 300

    /// - Throws: ``KinfolkError/Code/invalidArgument`` unless this is exactly what a browser would send.
    package static func validate(_ origin: String) throws(KinfolkError) {
        guard isValid(origin) else {
            throw KinfolkError(
                .invalidArgument,
                "An origin is http:// or https://, a host in lower case, and a port unless it is the standard one: "
                    + "https://app.example.com or http://localhost:8000."
            )
        }
    }

    private static func isValid(_ origin: String) -> Bool {
        guard origin.utf8.count <= maximumLength else { return false }
        for (scheme, standardPort) in [("https://", 443), ("http://", 80)] {
            // Compared by bytes: as characters, the last slash and a combining mark after it would be one.
            guard origin.utf8.starts(with: scheme.utf8) else { continue }
            return isAuthority(origin.utf8.dropFirst(scheme.utf8.count), standardPort: standardPort)
        }
        return false
    }

    /// Whether this is a host in lower case with or without a port.
    private static func isAuthority(_ text: Substring.UTF8View, standardPort: Int) -> Bool {
        var (host, port) = (text, Substring.UTF8View?.none)
        let end =
            text.first == UInt8(ascii: "[")
            ? text.firstIndex(of: UInt8(ascii: "]")) ?? text.startIndex : text.startIndex
        if let colon = text[end...].firstIndex(of: UInt8(ascii: ":")) {
            (host, port) = (text[..<colon], text[text.index(after: colon)...])
        }
        return isHost(host) && (port.map { isPort($0, standardPort: standardPort) } ?? true)
    }

    private static func isPort(_ digits: Substring.UTF8View, standardPort: Int) -> Bool {
        // Browsers leave the standard port out.
        guard let port = UInt16(String(Substring(digits))), String(port).utf8.elementsEqual(digits) else {
            return false
        }
        return port > 0 && port != standardPort
    }

    private static func isHost(_ host: Substring.UTF8View) -> Bool {
        if host.first == UInt8(ascii: "[") {
            let address = host.dropFirst().dropLast()
            return host.last == UInt8(ascii: "]") && address.contains(UInt8(ascii: ":"))
                && address.allSatisfy {
                    isDigit($0) || (0x61...0x66).contains($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
                }
        }
        let labels = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return host.count <= 253
            && labels.allSatisfy { label in
                (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
                    && label.allSatisfy {
                        isDigit($0) || (0x61...0x7a).contains($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
                    }
            }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
