import KinfolkModel

/// Changes of the versions of a document. No version is lost but the oldest ones, beyond those that are kept.
extension DocumentRecord {
    /// Throws unless the current version is the one that the caller knows.
    func requireCurrent(_ known: KnownDocument) throws(KinfolkError) {
        guard current.id == known.current else { throw DocumentRecord.changed }
    }

    /// The version that an asset has become; nil if there is none.
    func version(of asset: Asset) -> DocumentVersion? {
        ([current] + conflicts + older).first { $0.asset == asset }
    }

    /// Adds a version that was made from another one: it takes the place of that one, if it is the current version or a conflict.
    /// Otherwise it is a new conflict.
    ///
    /// - Throws: ``KinfolkError/Code/limitExceeded`` if there would be too many conflicts.
    mutating func add(_ version: DocumentVersion, madeFrom base: String) throws(KinfolkError) {
        if base == current.id {
            older.insert(current, at: 0)
            current = version
        } else if let index = conflicts.firstIndex(where: { $0.id == base }) {
            older.insert(conflicts[index], at: 0)
            conflicts[index] = version
        } else {
            guard conflicts.count < Documents.maximumConflicts else {
                throw KinfolkError(
                    .limitExceeded,
                    "A document has at most \(Documents.maximumConflicts) conflicts: resolve some first."
                )
            }
            conflicts.append(version)
        }
        keepVersions()
    }

    /// Makes a version that is in the document the current one, with a new ID.
    ///
    /// - Parameters:
    ///   - version: The ID of the version.
    ///   - make: Makes a version of an asset.
    mutating func makeCurrent(
        _ version: String,
        _ make: (Asset) -> DocumentVersion
    ) throws(KinfolkError) {
        guard let index = older.firstIndex(where: { $0.id == version }) else {
            throw KinfolkError(.unknownItem, "The document has no such version.")
        }
        let asset = older.remove(at: index).asset
        older.insert(current, at: 0)
        current = make(asset)
    }

    /// Makes the conflicts that the caller knows older versions. All of them are kept, and fewer of those that were older before.
    ///
    /// - Parameter choose: Makes another version the current one.
    mutating func resolve(
        _ known: KnownDocument,
        _ choose: (inout DocumentRecord) throws(KinfolkError) -> Void
    ) throws(KinfolkError) {
        let resolved = conflicts.filter { known.conflicts.contains($0.id) }
        older.insert(contentsOf: resolved.reversed(), at: 0)
        conflicts.removeAll { known.conflicts.contains($0.id) }
        try choose(&self)
        keepVersions(atLeast: resolved.count + 1)
    }

    private mutating func keepVersions(atLeast count: Int = 0) {
        older.removeLast(max(0, older.count - max(Documents.keptVersions, count)))
    }

    static var changed: KinfolkError {
        KinfolkError(.serverRecordChanged, "The document was changed since it was fetched.")
    }
}
