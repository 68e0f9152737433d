import KinfolkJSON
import KinfolkThreads
import KinfolkWebServices

/// The answer to a request of a test.
struct WebReply: Sendable {
    let status: Int
    let headers: [String: String]
    let body: [UInt8]

    init(_ response: WebResponse) {
        status = response.status
        headers = Dictionary(response.headers.map { ($0.name, $0.value) }) { first, _ in first }
        switch response.body {
        case .bytes(let bytes): body = bytes
        case .file(let file): body = WebReply.content(of: file)
        case .events: body = []
        }
    }

    private static func content(of file: any WebFile) -> [UInt8] {
        var content: [UInt8] = []
        while true {
            let piece = Lock<[UInt8]?>(nil)
            file.read { bytes in piece.withLock { $0 = bytes ?? [] } }
            guard let bytes = piece.withLock(when: { $0 != nil }, until: .never, { $0 }) ?? nil, !bytes.isEmpty else {
                return content
            }
            content += bytes
        }
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    /// A value of the JSON, by the names of members and the numbers of elements, with points between them: `records.0.recordName`. As a
    /// text; nil if there is none.
    subscript(path: String) -> String? {
        guard var value = try? JSONText.value(in: body[...], maximumDepth: 32) else { return nil }
        for part in path.split(separator: ".") {
            switch value {
            case .object(let members):
                guard let member = members.first(where: { $0.0 == part })?.1 else { return nil }
                value = member
            case .array(let elements):
                guard let index = Int(part), elements.indices.contains(index) else { return nil }
                value = elements[index]
            default: return nil
            }
        }
        if case .string(let text) = value { return text }
        return String(decoding: value.bytes, as: UTF8.self)
    }
}
