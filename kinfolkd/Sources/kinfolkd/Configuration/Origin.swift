/// The scheme, host and port under which browsers reach the service, and perhaps a path.
struct Origin {
    let text: String

    init?(_ text: String) {
        guard let scheme = ["https://", "http://"].first(where: text.hasPrefix), text.count > scheme.count,
            text.last != "/",
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }), !text.contains(where: { "?#\"<>\\@".contains($0) })
        else { return nil }
        let host = text.dropFirst(scheme.count).prefix { $0 != "/" }
        // A colon within brackets is one of an IPv6 address.
        let end = host.lastIndex(of: "]") ?? host.startIndex
        if let colon = host[end...].lastIndex(of: ":") {
            guard colon > host.startIndex, let port = Int(host[host.index(after: colon)...]),
                (1...65_535).contains(port)
            else {
                return nil
            }
        }
        guard !host.isEmpty else { return nil }
        self.text = text
    }
}
