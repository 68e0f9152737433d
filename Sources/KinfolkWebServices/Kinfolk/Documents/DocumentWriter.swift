import Kinfolk
import KinfolkCrypto
import KinfolkJSON

/// Writes documents. What it writes can be sent back to change the document.
struct DocumentWriter {
    /// The URL under which the contents of a version can be fetched for some minutes. Nil for answers that list documents: they have neither
    /// URLs nor older versions.
    var downloadURL: ((Asset) -> String?)?

    func json(_ document: Document) -> JSON {
        var members: [(String, JSON)] = [
            ("documentID", .string(document.id)), ("path", .string(document.path)),
            ("baseVersionID", .string(document.base)), ("currentVersion", json(document.current)),
            ("conflicts", .array(document.conflicts.map(json))),
        ]
        if downloadURL != nil { members.append(("olderVersions", .array(document.olderVersions.map(json)))) }
        members += [
            ("createdAt", .integer(document.createdAt.milliseconds)),
            ("modifiedAt", .integer(document.modifiedAt.milliseconds)),
            ("isExcludedFromBackup", .boolean(document.isExcludedFromBackup)),
        ]
        return .object(members)
    }

    /// A document that is gone.
    func json(deleted id: String) -> JSON { ["documentID": .string(id), "deleted": .boolean(true)] }

    private func json(_ version: DocumentVersion) -> JSON {
        var members: [(String, JSON)] = [
            ("versionID", .string(version.id)), ("size", .count(version.size)),
            ("fileChecksum", .string(Base64.text(version.sha256))),
            ("savedAt", .integer(version.savedAt.milliseconds)),
        ]
        if let device = version.device { members.append(("device", .string(device))) }
        if let url = downloadURL?(version.asset) { members.append(("downloadURL", .string(url))) }
        return .object(members)
    }
}
