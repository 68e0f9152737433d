import Kinfolk
import KinfolkJSON

/// The changes of documents as lines. A deletion has only an ID, so the paths are read before the changes.
struct DocumentChangeLines {
    private let documents: Documents
    private let news: DocumentNews
    /// The last known paths of the documents with these IDs.
    private var paths: [String: String] = [:]

    init(_ documents: Documents) throws(KinfolkError) {
        self.documents = documents
        var token: ServerChangeToken?
        var isBehind = true
        while isBehind {
            let page = try documents.changes(since: token)
            for document in page.documents { paths[document.id] = document.path }
            for id in page.deleted { paths[id] = nil }
            (token, isBehind) = (page.token, page.moreComing)
        }
        news = try DocumentNews(documents, since: token)
    }

    /// The lines of the next changes; none if nothing has changed, or the store cannot be read now.
    mutating func next(asJSON isJSON: Bool) throws(KinfolkError) -> [String] {
        var lines: [String] = []
        for change in news.next() ?? [] {
            let known = change.kind == .missed ? nil : paths[change.documentID]
            lines.append(isJSON ? json(change, known).line : text(change, known))
            switch change.kind {
            case .changed: paths[change.documentID] = change.document?.path
            case .deleted: paths[change.documentID] = nil
            case .missed: paths = Dictionary(try documents.search().map { ($0.id, $0.path) }) { $1 }
            }
        }
        return lines
    }

    private func json(_ change: DocumentChange, _ known: String?) -> JSON {
        guard change.kind != .missed else { return ["kind": .string("\(change.kind)")] }
        let path = change.document?.path ?? known
        var members: [(String, JSON)] = [
            ("kind", .string("\(change.kind)")), ("id", .string(change.documentID)),
            ("path", path.map(JSON.string) ?? .null),
        ]
        if let old = old(known, of: change) { members.append(("moved_from", .string(old))) }
        if let document = change.document { members.append(("document", DocumentView(document).json)) }
        return .object(members)
    }

    /// The line for people. It is cut on a narrow terminal.
    private func text(_ change: DocumentChange, _ known: String?) -> String {
        var parts: [String]
        switch change.kind {
        case .missed: parts = ["missed: some changes are lost; list the documents again"]
        case .deleted: parts = ["deleted", known ?? change.documentID]
        case .changed:
            parts = ["changed", change.document?.path ?? ""]
            if let old = old(known, of: change) { parts.append("from \(old)") }
            if let note = change.document.map({ DocumentView($0).note }), !note.isEmpty { parts.append("(\(note))") }
        }
        let text = VisibleText(parts.joined(separator: "  "))
        return (Terminal.output.width.map { text.cut(to: $0) } ?? text).text + "\n"
    }

    /// The path before a move; nil if the document has not been moved.
    private func old(_ known: String?, of change: DocumentChange) -> String? {
        guard let known, let path = change.document?.path, !path.utf8.elementsEqual(known.utf8) else { return nil }
        return known
    }
}
