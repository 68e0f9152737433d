package import KinfolkModel

/// The form of a URL to which a sign-in returns (RFC 6749, section 3.1.2).
package enum ReturnURL {
    static let maximumLength = 2_048
    /// A browser would run these, or show what they contain, instead of calling an application.
    private static let forbiddenSchemes: Set<String> = ["about", "blob", "data", "file", "javascript", "vbscript"]

    /// - Throws: ``KinfolkError/Code/invalidArgument`` unless this is an absolute URL that an application can be called by.
    package static func validate(_ url: String) throws(KinfolkError) {
        guard isValid(url) else {
            throw KinfolkError(
                .invalidArgument,
                "A return URL is an absolute URL of at most \(maximumLength) bytes with http, https or a scheme of the application, "
                    + "in ASCII, without a user and a fragment."
            )
        }
    }

    private static func isValid(_ url: String) -> Bool {
        guard url.utf8.count <= maximumLength, url.utf8.allSatisfy(isAllowed),
            let colon = url.utf8.firstIndex(of: UInt8(ascii: ":"))
        else { return false }
        let scheme = url[..<colon]
        let rest = url.utf8[url.utf8.index(after: colon)...]
        guard let first = scheme.utf8.first, (0x61...0x7a).contains(first), scheme.utf8.allSatisfy(isOfScheme),
            !forbiddenSchemes.contains(String(scheme)), !rest.isEmpty
        else { return false }
        guard scheme == "http" || scheme == "https" else { return true }
        guard rest.starts(with: "//".utf8) else { return false }
        let authority = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        return !authority.isEmpty && authority.first != UInt8(ascii: ":") && !authority.contains(UInt8(ascii: "@"))
    }

    private static func isOfScheme(_ byte: UInt8) -> Bool {
        (0x61...0x7a).contains(byte) || (0x30...0x39).contains(byte) || "+-.".utf8.contains(byte)
    }

    /// The characters of a URL (RFC 3986, section 2) without `#`. A backslash, which browsers read as a slash, is not one.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        (0x61...0x7a).contains(byte) || (0x41...0x5a).contains(byte) || (0x30...0x39).contains(byte)
            || "-._~:/?[]@!$&'()*+,;=%".utf8.contains(byte)
    }
}
