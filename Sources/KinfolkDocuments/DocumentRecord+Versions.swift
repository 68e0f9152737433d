import KinfolkModel

/// Changes of the versions of a document. No version is lost but the oldest ones, beyond those that are kept.
extension DocumentRecord {
    /// Throws unless the current version is the one that the caller knows.
    func requireCurrent(_ known: Document) throws(KinfolkError) {
        guard current.id == known.current.id else { throw DocumentRecord.changed }
    }

    /// Makes a new version the current one.
    mutating func replaceCurrent(with version: DocumentVersion) {
        older.insert(current, at: 0)
        current = version
    }

    /// Makes a version that is in the document the current one, with a new ID.
    ///
    /// - Parameter make: Makes a version of an asset.
    mutating func makeCurrent(
        _ version: DocumentVersion,
        _ make: (Asset) -> DocumentVersion
    ) throws(KinfolkError) {
        guard let index = older.firstIndex(where: { $0.id == version.id }) else {
            throw KinfolkError(.unknownItem, "The document has no such version.")
        }
        let asset = older.remove(at: index).asset
        replaceCurrent(with: make(asset))
    }

    /// Makes the conflicts that the caller knows older versions.
    mutating func resolve(_ known: Document) {
        let shown = Set(known.conflicts.map(\.id))
        older.insert(contentsOf: conflicts.filter { shown.contains($0.id) }.reversed(), at: 0)
        conflicts.removeAll { shown.contains($0.id) }
    }

    static var changed: KinfolkError {
        KinfolkError(.serverRecordChanged, "The document was changed since it was fetched.")
    }
}
