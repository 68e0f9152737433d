import Glibc
import KinfolkCrypto
import KinfolkFiles
import KinfolkModel
import KinfolkRecords

/// Makes documents of files.
struct DocumentImporter {
    /// How many bytes of a file are hashed at once.
    private static let pieceLength = 1 << 20

    private let documents: Documents
    /// The documents that exist, under the bytes of their paths.
    private let known: [[UInt8]: Document]
    private var result = DocumentImport()
    private var (files, bytes) = (0, 0)

    /// - Parameter present: The documents of the folder.
    init(_ documents: Documents, _ present: [Document]) {
        self.documents = documents
        known = Dictionary(present.map { (Array($0.path.utf8), $0) }) { $1 }
    }

    /// - Parameter folder: The folder of the documents; nil for none.
    mutating func run(
        _ root: OpenFolder,
        into folder: String?,
        progress: (_ files: Int, _ bytes: Int) throws(KinfolkError) -> Void
    ) throws(KinfolkError) -> DocumentImport {
        let entries: [OpenFolder.Entry]
        do throws(FileFailure) { entries = try root.entries() } catch { throw DocumentFolders.error(error) }
        let place = Place(below: "", document: folder ?? "")
        try add(Level(folder: root, place: place, rest: entries[...]), progress)
        return result
    }

    /// Where a folder is.
    private struct Place {
        /// Its path below the folder of the import, for reports; empty for that folder.
        let below: String
        /// The path of the folder of its documents; empty for none.
        let document: String

        init(below: String, document: String) { (self.below, self.document) = (below, document) }

        /// The place of something that is in it.
        func entry(_ name: String) -> Place {
            Place(
                below: below.isEmpty ? name : "\(below)/\(name)",
                document: document.isEmpty ? name : "\(document)/\(name)"
            )
        }

        /// Whether a document can have the path.
        var canBeDocument: Bool { (try? DocumentPath.validate(document)) != nil }
    }

    // MARK: Folders

    /// A folder, and what is in it that was not looked at yet.
    private struct Level {
        let folder: OpenFolder
        let place: Place
        var rest: ArraySlice<OpenFolder.Entry>
    }

    /// Adds what is in a folder. Folders are as deep as the path of a document can be, and no deeper.
    private mutating func add(
        _ root: Level,
        _ progress: (_ files: Int, _ bytes: Int) throws(KinfolkError) -> Void
    ) throws(KinfolkError) {
        // The folder that is looked at is the last, after those that it is in.
        var levels = [root]
        while let level = levels.last {
            guard let entry = levels[levels.count - 1].rest.popFirst() else {
                levels.removeLast()
                continue
            }
            guard let name = DocumentImporter.name(of: entry) else {
                result.skip(level.place.entry(entry.name.shown).below, .malformedName)
                continue
            }
            let inner = level.place.entry(name)
            switch entry.kind {
            case .link: result.skip(inner.below, .link)
            case .special: result.skip(inner.below, .specialFile)
            case .file: try add(file: entry, of: level.folder, inner, progress)
            case .folder: if let level = try open(entry, of: level.folder, inner) { levels.append(level) }
            }
        }
    }

    /// The name as a text; nil if no document can have it.
    private static func name(of entry: OpenFolder.Entry) -> String? {
        guard let text = entry.name.text, (try? DocumentPath.validate(text)) != nil else { return nil }
        return text
    }

    /// Nil for a folder that is skipped.
    private mutating func open(
        _ entry: OpenFolder.Entry,
        of parent: OpenFolder,
        _ place: Place
    ) throws(KinfolkError) -> Level? {
        let reason: DocumentSkip.Reason
        if place.entry("_").canBeDocument {
            do throws(FileFailure) {
                let folder = try OpenFolder(entry.name, in: parent)
                return Level(folder: folder, place: place, rest: try folder.entries()[...])
            } catch {
                switch error.number {
                case EACCES, EPERM: reason = .notReadable
                // It is no folder any more.
                case ENOENT, ENOTDIR, ELOOP: reason = .changed
                default: throw DocumentFolders.error(error)
                }
            }
        } else {
            reason = .malformedPath
        }
        result.skip(place.below, reason)
        return nil
    }

    // MARK: Files

    private mutating func add(
        file entry: OpenFolder.Entry,
        of folder: OpenFolder,
        _ place: Place,
        _ progress: (_ files: Int, _ bytes: Int) throws(KinfolkError) -> Void
    ) throws(KinfolkError) {
        if let reason = try skipping(entry, of: folder, place, progress) { result.skip(place.below, reason) }
        files += 1
        try progress(files, bytes)
    }

    /// Saves a file. Returns why it was skipped; nil if it was not.
    private mutating func skipping(
        _ entry: OpenFolder.Entry,
        of folder: OpenFolder,
        _ place: Place,
        _ progress: (_ files: Int, _ bytes: Int) throws(KinfolkError) -> Void
    ) throws(KinfolkError) -> DocumentSkip.Reason? {
        guard FilesInUse.role(of: entry.identity) == nil else { return .inUse }
        guard place.canBeDocument else { return .malformedPath }
        let (start, count) = (bytes, files)
        let document = known[Array(place.document.utf8)]
        let upload: AssetUpload
        do {
            let file = try AssetFile(reading: entry.name, in: folder)
            let isCurrent = try document.map { document throws(KinfolkError) in
                try DocumentImporter.isCurrent(document, file) { done throws(KinfolkError) in
                    try progress(count, start + done)
                }
            }
            if isCurrent == true {
                result.unchanged += 1
                bytes += file.size
                return nil
            }
            upload = try documents.beginUpload()
            try upload.add(file) { done, _ throws(KinfolkError) in try progress(count, start + done) }
        } catch {
            guard let reason = DocumentImporter.reason(error) else { throw error }
            return reason
        }
        bytes += upload.size
        return try save(upload, document, place)
    }

    /// Why a file cannot be read, if that is because of this file.
    private static func reason(_ error: KinfolkError) -> DocumentSkip.Reason? {
        switch error.code {
        case .assetFileNotFound, .assetFileModified: .changed
        case .permissionFailure: .notReadable
        case .invalidArgument: .specialFile
        case .limitExceeded: .tooLarge
        default: nil
        }
    }

    private mutating func save(
        _ upload: AssetUpload,
        _ document: Document?,
        _ place: Place
    ) throws(KinfolkError) -> DocumentSkip.Reason? {
        do {
            if let document {
                let saved = try documents.save(document, upload)
                result.saved += 1
                if try saved.conflict(from: upload) != nil { result.conflicts += 1 }
            } else {
                _ = try documents.create(place.document, upload)
                result.created += 1
            }
        } catch {
            switch error.code {
            case .unknownItem: return .changed
            case .conflict: return .nameTaken
            case .limitExceeded: return .tooManyConflicts
            default: throw error
            }
        }
        result.bytes += upload.size
        return nil
    }

    /// Whether a file has the bytes of the current version.
    private static func isCurrent(
        _ document: Document,
        _ file: AssetFile,
        _ progress: (_ done: Int) throws(KinfolkError) -> Void
    ) throws(KinfolkError) -> Bool {
        guard document.current.size == file.size else { return false }
        var hash = SHA256()
        try file.forEachPiece(ofLength: pieceLength) { piece, done throws(KinfolkError) in
            hash.update(piece)
            try progress(done)
        }
        return hash.finish() == document.current.sha256
    }
}
