import KinfolkWebServices
import NIOHTTP1

extension WebRequest.Head {
    /// The head as the services get it. HEAD becomes GET: the transport leaves out the body.
    init(_ head: HTTPRequestHead, from peer: Peer, _ proxies: TrustedProxies) {
        let target = head.uri
        let mark = target.utf8.firstIndex(of: UInt8(ascii: "?"))
        var headers: [(name: String, value: String)] = []
        headers.reserveCapacity(head.headers.count)
        for (name, value) in head.headers {
            let name = name.lowercasedIfNeeded
            if !peer.isTrusted, WebRequest.Head.isOfProxy(name) { continue }
            headers.append((name, value.withoutTrailingBlanks))
        }
        self.init(
            method: head.method == .HEAD ? "GET" : head.method.rawValue,
            path: mark.map { String(target[..<$0]) } ?? target,
            query: mark.map { String(target[target.utf8.index(after: $0)...]) } ?? "",
            headers: headers,
            client: peer.isTrusted ? proxies.client(headers)?.text ?? peer.text : peer.text,
            isFromTrustedProxy: peer.isTrusted
        )
    }

    /// Headers that only a proxy may send.
    private static func isOfProxy(_ name: String) -> Bool {
        name == "forwarded" || name.hasPrefix("x-forwarded-") || name == "x-real-ip"
    }
}

extension String {
    fileprivate var lowercasedIfNeeded: String { utf8.contains { (0x41...0x5a).contains($0) } ? lowercased() : self }
}
