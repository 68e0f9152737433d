import KinfolkCrypto
package import KinfolkModel
import KinfolkRecords

/// The record of a document: its path and all its versions. So each change of a document is one change of one record.
package struct DocumentRecord {
    private enum Key {
        static let path = "path"
        static let versions = "versions"
        static let files = "files"
        static let dates = "dates"
        static let devices = "devices"
        /// How many of the versions after the first one are conflicts.
        static let conflicts = "conflicts"
        /// The device that changed the document last, and the number of the last change by another one; 0 if there was none.
        static let changedBy = "changedBy"
        static let changeOfOthers = "changeOfOthers"
    }

    package let document: Document
    var path: String
    var current: DocumentVersion
    var conflicts: [DocumentVersion]
    var older: [DocumentVersion]
    var isExcluded: Bool
    let changedBy: [UInt8]
    let changeOfOthers: Int64

    /// A new document.
    init(path: String, _ version: DocumentVersion) {
        self.path = path
        (current, conflicts, older, isExcluded) = (version, [], [], false)
        (changedBy, changeOfOthers) = ([], 0)
        document = Document(
            id: RecordID().name,
            path: path,
            versions: (version, [], []),
            createdAt: version.savedAt,
            modifiedAt: version.savedAt,
            isExcludedFromBackup: false,
            changeTag: nil
        )
    }

    package init(_ record: Record) throws(KinfolkError) {
        guard case .string(let path)? = record[Key.path], case .bytesList(let ids)? = record[Key.versions],
            case .assetList(let files)? = record[Key.files], case .dateList(let dates)? = record[Key.dates],
            case .stringList(let devices)? = record[Key.devices], case .int64(let conflicts)? = record[Key.conflicts],
            case .bytes(let changedBy)? = record[Key.changedBy],
            case .int64(let changeOfOthers)? = record[Key.changeOfOthers],
            case .boolean(let isExcluded)? = record[ReservedType.isExcluded],
            let createdAt = record.createdAt, let modifiedAt = record.modifiedAt,
            files.count == ids.count, dates.count == ids.count, devices.count == ids.count,
            (0..<Int64(ids.count)).contains(conflicts)
        else { throw KinfolkError.damaged("A document cannot be read.") }
        let versions = ids.indices.map { index in
            DocumentVersion(
                id: Hexadecimal.text(ids[index]),
                asset: files[index],
                savedAt: dates[index],
                device: devices[index].isEmpty ? nil : devices[index]
            )
        }
        self.path = path
        (self.changedBy, self.changeOfOthers) = (changedBy, changeOfOthers)
        current = versions[0]
        self.conflicts = Array(versions[1..<1 + Int(conflicts)])
        older = Array(versions[(1 + Int(conflicts))...])
        self.isExcluded = isExcluded
        document = Document(
            id: record.id.name,
            path: path,
            versions: (current, self.conflicts, older),
            createdAt: createdAt,
            modifiedAt: modifiedAt,
            isExcludedFromBackup: isExcluded,
            changeTag: record.changeTag
        )
    }

    /// The record to be saved.
    ///
    /// - Parameter change: The number of the change that saved it before; 0 for a new document.
    func record(changedBy device: RandomID, after change: Int64) -> Record {
        let versions = [current] + conflicts + older
        var fields = Fields()
        let isOfOthers = !changedBy.isEmpty && changedBy != device.bytes
        fields[Key.changeOfOthers] = .int64(isOfOthers ? change : changeOfOthers)
        fields[Key.changedBy] = .bytes(device.bytes)
        fields[Key.conflicts] = .int64(Int64(conflicts.count))
        fields[Key.dates] = .dateList(versions.map(\.savedAt))
        fields[Key.devices] = .stringList(versions.map { $0.device ?? "" })
        fields[Key.files] = .assetList(versions.map(\.asset))
        fields[ReservedType.folders] = .bytesList(DocumentPath.folders(of: path).map(DocumentRecord.hash))
        fields[ReservedType.isExcluded] = .boolean(isExcluded)
        fields[Key.path] = .string(path)
        fields[ReservedType.path] = .bytes(DocumentRecord.hash(path))
        fields[Key.versions] = .bytesList(versions.map { Hexadecimal.bytes($0.id.utf8) ?? [] })
        let id = RecordID(valid: document.id, zone: ReservedZone.documents.name)
        return Record(type: ReservedType.document.name, id: id, state: nil, fields: fields)
    }

    /// The value under which a path is indexed. Paths are compared by their bytes.
    static func hash(_ path: String) -> [UInt8] {
        var hash = SHA256()
        var bytes = Array(path.utf8)
        bytes.withUnsafeBytes { hash.update($0) }
        bytes.removeAll()
        return hash.finish()
    }
}
