public import CKinfolk
import Kinfolk
import KinfolkFiles

/// What an export or an import of documents has done, and the texts that C has borrowed from it.
final class DocumentFilesHandle: Handle, @unchecked Sendable {
    let documents: Int
    let saved: Int
    let unchanged: Int
    let conflicts: Int
    let excluded: Int
    let bytes: Int
    let skippedCount: Int
    let skipped: [DocumentSkip]
    let texts = TextArena()

    init(_ report: DocumentExport) {
        (documents, saved, unchanged) = (report.documents, 0, 0)
        (conflicts, excluded, bytes) = (report.conflicts, report.excluded, report.bytes)
        (skippedCount, skipped) = (report.skippedCount, report.skipped)
    }

    init(_ report: DocumentImport) {
        (documents, saved, unchanged) = (report.created, report.saved, report.unchanged)
        (conflicts, excluded, bytes) = (report.conflicts, 0, report.bytes)
        (skippedCount, skipped) = (report.skippedCount, report.skipped)
    }
}

@_cdecl("kinfolk_document_export") @implementation
public func kinfolk_document_export(
    _ handle: OpaquePointer?,
    _ path: UnsafePointer<CChar>?,
    _ includes_excluded: Bool,
    _ progress: kinfolk_progress_fn?,
    _ context: UnsafeMutableRawPointer?,
    _ report: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let documents = try session(handle).documents
        let path = try KinfolkC.path(path)
        let done = try documents.export(to: path, includingExcluded: includes_excluded) {
            (done, total) throws(KinfolkError) in
            try tell(progress, done, of: total, context)
        }
        report?.pointee = makeHandle(DocumentFilesHandle(done))
    }
}

@_cdecl("kinfolk_document_import") @implementation
public func kinfolk_document_import(
    _ handle: OpaquePointer?,
    _ path: UnsafePointer<CChar>?,
    _ folder: UnsafePointer<CChar>?,
    _ progress: kinfolk_progress_fn?,
    _ context: UnsafeMutableRawPointer?,
    _ report: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let documents = try session(handle).documents
        let folder = try folder.map { folder throws(KinfolkError) in try text(folder) }
        let path = try KinfolkC.path(path)
        let done = try documents.importFolder(path, into: folder) { (files, _) throws(KinfolkError) in
            try tell(progress, files, of: 0, context)
        }
        report?.pointee = makeHandle(DocumentFilesHandle(done))
    }
}

private func read(_ report: OpaquePointer?) -> DocumentFilesHandle? { peek(report, as: DocumentFilesHandle.self) }

/// The file at an index that was left out; nil past the end.
private func skip(_ report: OpaquePointer?, _ index: Int) -> DocumentSkip? {
    guard let skipped = read(report)?.skipped, skipped.indices.contains(index) else { return nil }
    return skipped[index]
}

@_cdecl("kinfolk_document_files_documents") @implementation
public func kinfolk_document_files_documents(_ report: OpaquePointer?) -> Int { read(report)?.documents ?? 0 }

@_cdecl("kinfolk_document_files_saved") @implementation
public func kinfolk_document_files_saved(_ report: OpaquePointer?) -> Int { read(report)?.saved ?? 0 }

@_cdecl("kinfolk_document_files_unchanged") @implementation
public func kinfolk_document_files_unchanged(_ report: OpaquePointer?) -> Int { read(report)?.unchanged ?? 0 }

@_cdecl("kinfolk_document_files_conflicts") @implementation
public func kinfolk_document_files_conflicts(_ report: OpaquePointer?) -> Int { read(report)?.conflicts ?? 0 }

@_cdecl("kinfolk_document_files_excluded") @implementation
public func kinfolk_document_files_excluded(_ report: OpaquePointer?) -> Int { read(report)?.excluded ?? 0 }

@_cdecl("kinfolk_document_files_bytes") @implementation
public func kinfolk_document_files_bytes(_ report: OpaquePointer?) -> UInt64 {
    UInt64(clamping: read(report)?.bytes ?? 0)
}

@_cdecl("kinfolk_document_files_skipped") @implementation
public func kinfolk_document_files_skipped(_ report: OpaquePointer?) -> Int { read(report)?.skippedCount ?? 0 }

@_cdecl("kinfolk_document_files_skip_count") @implementation
public func kinfolk_document_files_skip_count(_ report: OpaquePointer?) -> Int { read(report)?.skipped.count ?? 0 }

@_cdecl("kinfolk_document_files_skip_path") @implementation
public func kinfolk_document_files_skip_path(_ report: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    skip(report, index).flatMap { read(report)?.texts.text($0.path) }
}

@_cdecl("kinfolk_document_files_skip_reason") @implementation
public func kinfolk_document_files_skip_reason(_ report: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    skip(report, index).flatMap { read(report)?.texts.text("\($0.reason)") }
}

@_cdecl("kinfolk_document_files_free") @implementation
public func kinfolk_document_files_free(_ report: OpaquePointer?) { freeHandle(report, as: DocumentFilesHandle.self) }
