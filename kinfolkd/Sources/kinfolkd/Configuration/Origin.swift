/// The scheme, host and port under which browsers reach the service, and perhaps a path.
struct Origin {
    let text: String

    init?(_ text: String) {
        guard let scheme = ["https://", "http://"].first(where: text.hasPrefix), text.count > scheme.count,
            text.last != "/",
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }), !text.contains(where: { "?#\"<>\\@".contains($0) })
        else { return nil }
        self.text = text
    }
}
