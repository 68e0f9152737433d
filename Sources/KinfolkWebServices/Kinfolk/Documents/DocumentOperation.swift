import Kinfolk
import KinfolkJSON

/// One operation of `documents/modify`.
struct DocumentOperation {
    private enum Kind: String, CaseIterable {
        case create
        case save
        case resolve
        case restore
        case move
        case exclude
        case include
        case delete
    }

    private enum Change {
        case create(path: String, DocumentContents)
        case save(DocumentContents)
        case keep(version: String)
        case join(DocumentContents)
        case restore(version: String)
        case move(path: String)
        case setExcluded(Bool)
        case delete
    }

    private let change: Change
    private let known: KnownDocument

    init(_ json: JSON, _ zones: ZoneReader) throws(WebError) {
        let members = try Members(json)
        guard let kind = Kind(rawValue: try members.requiredText("operationType")) else {
            throw .malformed("operationType", Kind.allCases.map(\.rawValue).joined(separator: ", "))
        }
        func contents() throws(WebError) -> DocumentContents {
            guard let json = members["contents"] else { throw .missing("contents") }
            do throws(WebError) { return .stored(try DocumentOperation.asset(json, zones)) } catch {
                throw error.within("contents")
            }
        }
        change =
            switch kind {
            case .create: .create(path: try members.requiredText("path"), try contents())
            case .save: .save(try contents())
            case .resolve where members["contents"] == nil: .keep(version: try members.requiredText("versionID"))
            case .resolve: .join(try contents())
            case .restore: .restore(version: try members.requiredText("versionID"))
            case .move: .move(path: try members.requiredText("path"))
            case .exclude: .setExcluded(true)
            case .include: .setExcluded(false)
            case .delete: .delete
            }
        known = kind == .create ? KnownDocument(id: "") : try DocumentOperation.known(members, kind)
    }

    /// What an upload has answered.
    private static func asset(_ json: JSON, _ zones: ZoneReader) throws(WebError) -> Asset {
        let values = ValueReader(zones: zones, zone: ReservedZone.documents.name)
        guard case .asset(let asset) = try values.value(json, .asset) else { throw .malformed("", "a file") }
        return asset
    }

    /// The document as the client has received it, with what the operation needs of it.
    private static func known(_ members: Members, _ kind: Kind) throws(WebError) -> KnownDocument {
        guard let document = try members.object("document") else { throw .missing("document") }
        do throws(WebError) {
            let id = try document.requiredText("documentID")
            switch kind {
            case .create, .save, .move, .exclude, .include:
                return KnownDocument(id: id, base: try document.requiredText("baseVersionID"))
            case .resolve, .restore, .delete:
                guard let current = try document.object("currentVersion") else { throw .missing("currentVersion") }
                let conflicts = try document.list("conflicts") { json throws(WebError) in
                    try Members(json).requiredText("versionID")
                }
                do throws(WebError) {
                    let version = try current.requiredText("versionID")
                    return KnownDocument(id: id, current: version, conflicts: Set(conflicts ?? []))
                } catch { throw error.within("currentVersion") }
            }
        } catch { throw error.within("document") }
    }

    /// Runs it, and answers with the document as it is now, or with the error.
    func answer(_ documents: Documents, _ writer: DocumentWriter) -> JSON {
        do throws(KinfolkError) {
            return try run(documents).map(writer.json) ?? writer.json(deleted: known.id)
        } catch { return name.json(WebError(error)) }
    }

    private var name: DocumentName {
        if case .create(let path, _) = change { .path(path) } else { .id(known.id) }
    }

    /// Nil if the document is deleted.
    private func run(_ documents: Documents) throws(KinfolkError) -> Document? {
        switch change {
        case .create(let path, let contents): return try documents.create(path, contents)
        case .save(let contents): return try documents.save(known, contents)
        case .keep(let version): return try documents.resolve(known, keeping: version)
        case .join(let contents): return try documents.resolve(known, contents)
        case .restore(let version): return try documents.restore(known, version)
        case .move(let path): return try documents.move(known, to: path)
        case .setExcluded(let isExcluded): return try documents.setExcludedFromBackup(isExcluded, known)
        case .delete:
            try documents.delete(known)
            return nil
        }
    }
}
