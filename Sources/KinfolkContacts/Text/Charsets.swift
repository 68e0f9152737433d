/// The charsets of one text and of all cards nested in it. Each charset is opened once: iconv may load a library for it, which
/// takes as long as reading a thousand lines.
final class Charsets {
    private var latest: Charset?
    private var opened: [String: Charset] = [:]

    /// The charset with this name. Nil if the charset is not accepted.
    func charset(_ name: Span<UInt8>) -> Charset? {
        if let latest, latest.isNamed(name) { return latest }
        guard let known = Charset.known(name) else { return nil }
        latest = opened[known] ?? Charset(name: name, known: known)
        opened[known] = latest
        return latest
    }
}
