import Glibc

/// The part of an IP address that one client has for sure: an IPv4 address, or the first 64 bits of an IPv6 address.
struct Network {
    /// A key for limits.
    let key: String
    /// The key of the first 48 bits of an IPv6 address, which one customer of a provider may have; nil for an IPv4 address.
    let site: String?

    private init(_ bytes: [UInt8]) {
        func key(_ bytes: some Sequence<UInt8>) -> String { bytes.map { String($0) }.joined(separator: ".") }
        self.key = key(bytes)
        site = bytes.count > 4 ? key(bytes.prefix(6)) : nil
    }

    /// Nil for an address of this machine, and for no address.
    init?(_ address: String) {
        var v4 = in_addr()
        if inet_pton(AF_INET, address, &v4) == 1 {
            let bytes = withUnsafeBytes(of: v4.s_addr, Array.init)
            guard bytes[0] != 127 else { return nil }
            self.init(bytes)
            return
        }
        var v6 = in6_addr()
        guard inet_pton(AF_INET6, address, &v6) == 1 else { return nil }
        let bytes = withUnsafeBytes(of: v6, Array.init)
        // An IPv4 address within IPv6 (RFC 4291, section 2.5.5.2).
        if bytes.prefix(10).allSatisfy({ $0 == 0 }), bytes[10] == 0xff, bytes[11] == 0xff {
            guard bytes[12] != 127 else { return nil }
            self.init(Array(bytes.suffix(4)))
            return
        }
        if bytes.dropLast().allSatisfy({ $0 == 0 }), bytes[15] == 1 { return nil }
        self.init(Array(bytes.prefix(8)))
    }
}
