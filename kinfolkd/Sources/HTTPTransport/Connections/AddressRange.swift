/// An address, or a network in CIDR form such as `10.0.0.0/8`.
public struct AddressRange: Sendable, Equatable {
    private let address: NetworkAddress
    private let bits: Int

    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let first = parts.first, parts.count <= 2, let address = NetworkAddress(first), !first.contains("[")
        else { return nil }
        // A port is part of no network.
        guard !first.contains(".") || !first.contains(":") else { return nil }
        self.address = address
        let width = address.isIPv4 ? 32 : 128
        guard parts.count == 2 else {
            bits = 128
            return
        }
        guard let count = Int(parts[1]), (0...width).contains(count), parts[1].allSatisfy(\.isNumber) else {
            return nil
        }
        bits = 128 - width + count
    }

    func contains(_ other: NetworkAddress) -> Bool {
        guard address.isIPv4 == other.isIPv4 else { return false }
        let highBits = min(bits, 64)
        let lowBits = bits - highBits
        return AddressRange.equal(address.high, other.high, bits: highBits)
            && AddressRange.equal(address.low, other.low, bits: lowBits)
    }

    private static func equal(_ one: UInt64, _ other: UInt64, bits: Int) -> Bool {
        bits == 0 || (one ^ other) >> UInt64(64 - bits) == 0
    }
}
