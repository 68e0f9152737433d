import KinfolkFiles
import KinfolkModel

/// Writes documents as files.
struct DocumentExporter {
    private let documents: Documents
    private var folders: DocumentFolders
    /// Files that were written. A file system in which upper and lower case do not differ finds one of them under another name.
    private var written: Set<FileIdentity> = []
    /// The bytes of the paths that conflicts must not have: those of documents, their folders and other conflicts.
    private var taken: Set<[UInt8]> = []
    private var result = DocumentExport()

    init(_ documents: Documents, to folders: DocumentFolders) {
        (self.documents, self.folders) = (documents, folders)
    }

    /// - Parameter all: All documents in the order of the bytes of their paths, so that those of a folder follow each other.
    mutating func export(
        _ all: [Document],
        includingExcluded: Bool,
        progress: (_ done: Int, _ total: Int) throws(KinfolkError) -> Void
    ) throws(KinfolkError) -> DocumentExport {
        let chosen = includingExcluded ? all : all.filter { !$0.isExcludedFromBackup }
        result.excluded = all.count - chosen.count
        if chosen.contains(where: { !$0.conflicts.isEmpty }) { takePaths(of: chosen) }
        let total = chosen.reduce(0) { $0 + $1.current.size + $1.conflicts.reduce(0) { $0 + $1.size } }
        for document in chosen {
            try progress(result.bytes, total)
            let folder: OpenFolder
            switch try folders.folder(of: document) {
            case .success(let found): folder = found
            case .failure(let blocked):
                // Its conflicts have no place either.
                for _ in 0...document.conflicts.count { result.skip(document.path, blocked.reason) }
                continue
            }
            if try write(document, document.current, document.name, in: folder, total, progress) {
                result.documents += 1
            }
            for (index, conflict) in document.conflicts.enumerated() {
                guard let name = free(ConflictName(document, conflict, index + 1), besides: document) else {
                    result.skip(document.path, .nameTaken)
                    continue
                }
                if try write(document, conflict, name, in: folder, total, progress) { result.conflicts += 1 }
            }
        }
        try progress(result.bytes, total)
        return result
    }

    private mutating func takePaths(of chosen: [Document]) {
        for document in chosen {
            taken.insert(Array(document.path.utf8))
            for folder in DocumentPath.folders(of: document.path) { taken.insert(Array(folder.utf8)) }
        }
    }

    /// A name for a conflict in the folder of its document that nothing else has.
    private mutating func free(_ name: ConflictName, besides document: Document) -> String? {
        name.candidates.first { taken.insert(Array(DocumentExporter.path($0, besides: document).utf8)).inserted }
    }

    private static func path(_ name: String, besides document: Document) -> String {
        document.folder.isEmpty ? name : "\(document.folder)/\(name)"
    }

    /// Writes a version. False if it was skipped.
    private mutating func write(
        _ document: Document,
        _ version: DocumentVersion,
        _ name: String,
        in folder: OpenFolder,
        _ total: Int,
        _ progress: (_ done: Int, _ total: Int) throws(KinfolkError) -> Void
    ) throws(KinfolkError) -> Bool {
        let (path, file) = (DocumentExporter.path(name, besides: document), FilePath(name))
        let isInUse = FilesInUse.role(of: file, in: folder, followsLink: false) != nil
        if let reason = isInUse ? .inUse : obstacle(folder.entry(file)) {
            result.skip(path, reason)
            return false
        }
        let before = result.bytes
        do {
            try documents.write(document, version, to: file, in: folder) { done, _ throws(KinfolkError) in
                try progress(before + done, total)
            }
        } catch {
            switch error.code {
            case .assetNotAvailable: result.skip(path, .changed)
            // The file system cannot have the name, or it is too long.
            case .invalidArgument, .assetFileNotFound: result.skip(path, .malformedName)
            default: throw error
            }
            return false
        }
        result.bytes += version.size
        if let entry = folder.entry(file) { written.insert(entry.identity) }
        return true
    }

    /// Why a file cannot be written where this is.
    private func obstacle(_ entry: OpenFolder.Entry?) -> DocumentSkip.Reason? {
        switch entry?.kind {
        case nil: nil
        case .link: .link
        case .folder, .special: .nameTaken
        case .file: entry.flatMap { written.contains($0.identity) ? .nameTaken : nil }
        }
    }
}
