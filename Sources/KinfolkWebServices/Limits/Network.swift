import Glibc

/// The part of an IP address that one client has for sure: an IPv4 address, or the first 64 bits of an IPv6 address.
enum Network {
    /// A key for limits; nil for an address of this machine, and for no address.
    static func key(_ address: String) -> String? {
        var v4 = in_addr()
        if inet_pton(AF_INET, address, &v4) == 1 {
            let bytes = withUnsafeBytes(of: v4.s_addr, Array.init)
            return bytes[0] == 127 ? nil : key(bytes)
        }
        var v6 = in6_addr()
        guard inet_pton(AF_INET6, address, &v6) == 1 else { return nil }
        let bytes = withUnsafeBytes(of: v6, Array.init)
        // An IPv4 address within IPv6 (RFC 4291, section 2.5.5.2).
        if bytes.prefix(10).allSatisfy({ $0 == 0 }), bytes[10] == 0xff, bytes[11] == 0xff {
            return bytes[12] == 127 ? nil : key(Array(bytes.suffix(4)))
        }
        if bytes.dropLast().allSatisfy({ $0 == 0 }), bytes[15] == 1 { return nil }
        return key(Array(bytes.prefix(8)))
    }

    private static func key(_ bytes: [UInt8]) -> String { bytes.map { String($0) }.joined(separator: ".") }
}
