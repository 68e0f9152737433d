/// The proxies whose reports of a client's address count.
public struct TrustedProxies: Sendable {
    /// The header in which the proxies report it. Only one, because a proxy passes on what a client sent in the other.
    public enum Header: String, Sendable, CaseIterable {
        case forwardedFor = "x-forwarded-for"
        case forwarded
    }

    private let ranges: [AddressRange]
    private let header: Header

    public init(_ ranges: [AddressRange] = [], header: Header = .forwardedFor) {
        self.ranges = ranges
        self.header = header
    }

    public var isEmpty: Bool { ranges.isEmpty }

    func contains(_ address: NetworkAddress?) -> Bool {
        guard !ranges.isEmpty, let address else { return false }
        return ranges.contains { $0.contains(address) }
    }

    /// The last address that is not one of a proxy: each proxy appends the address of its client.
    func client(_ headers: [(name: String, value: String)]) -> NetworkAddress? {
        var last: NetworkAddress?
        let values = headers.lazy.filter { $0.name == header.rawValue }.map(\.value)
        for element in values.joined(separator: ",").split(separator: ",").reversed() {
            guard let address = address(in: element) else { return last }
            last = address
            guard contains(address) else { return address }
        }
        return last
    }

    private func address(in element: Substring) -> NetworkAddress? {
        switch header {
        case .forwardedFor: return NetworkAddress(trimmed(element))
        case .forwarded:
            for pair in element.split(separator: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1)
                guard parts.count == 2, trimmed(parts[0]).lowercased() == "for" else { continue }
                let value = trimmed(parts[1])
                guard value.count > 2, value.first == "\"", value.last == "\"" else { return NetworkAddress(value) }
                return NetworkAddress(value.dropFirst().dropLast())
            }
            return nil
        }
    }

    private func trimmed(_ text: Substring) -> Substring {
        var text = text
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
