import Glibc

/// An IP address as 16 bytes. An IPv4 address is in its mapped form, `::ffff:192.0.2.1`.
public struct NetworkAddress: Sendable, Hashable {
    let high: UInt64
    let low: UInt64

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads `192.0.2.1`, `2001:db8::1` or `[2001:db8::1]`, each also with a port behind it.
    init?(_ text: Substring) {
        var text = text
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else { return nil }
            let rest = text[text.index(after: end)...]
            guard rest.isEmpty || rest.first == ":" else { return nil }
            text = text[text.index(after: text.startIndex)..<end]
        } else if let colon = text.firstIndex(of: ":"), !text[text.index(after: colon)...].contains(":") {
            text = text[..<colon]
        }
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, String(text), &four) == 1 {
            self.init(four)
        } else if inet_pton(AF_INET6, String(text), &six) == 1 {
            self.init(six)
        } else {
            return nil
        }
    }

    init(_ address: in_addr) {
        high = 0
        low = 0xffff_0000_0000 | UInt64(UInt32(bigEndian: address.s_addr))
    }

    init(_ address: in6_addr) {
        let (first, second) = withUnsafeBytes(of: address) {
            ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
        high = UInt64(bigEndian: first)
        low = UInt64(bigEndian: second)
    }

    var isIPv4: Bool { high == 0 && low >> 32 == 0xffff }

    /// What one client can be assumed to have: an IPv4 address, or a /64 network of IPv6.
    var network: NetworkAddress { isIPv4 ? self : NetworkAddress(high: high, low: 0) }

    var isLoopback: Bool { isIPv4 ? (low >> 24) & 0xff == 127 : high == 0 && low == 1 }

    /// What one customer may have, an IPv4 address or a /48 of IPv6, as a key for shares of memory. Empty for this machine.
    var site: String { isLoopback ? "" : (isIPv4 ? self : NetworkAddress(high: high & ~0xffff, low: 0)).text }

    var text: String {
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        if isIPv4 {
            var address = in_addr(s_addr: UInt32(truncatingIfNeeded: low).bigEndian)
            inet_ntop(AF_INET, &address, &buffer, socklen_t(buffer.count))
        } else {
            var words = (high.bigEndian, low.bigEndian)
            inet_ntop(AF_INET6, &words, &buffer, socklen_t(buffer.count))
        }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
