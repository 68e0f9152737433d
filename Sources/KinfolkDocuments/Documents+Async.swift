#if !KINFOLK_BLOCKING
import KinfolkAccounts
import KinfolkCore
public import KinfolkModel
public import KinfolkRecords
public import KinfolkSubscriptions

/// The blocking calls about documents, for async callers: each waits on a thread of the service. The blocking form documents behaviour,
/// parameters and errors.
extension Documents {
    /// Like the blocking form, but waits on a thread of the service.
    public func document(at path: String) async throws(KinfolkError) -> Document {
        try await session.container.service.async { try self.document(at: path) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func document(id: String) async throws(KinfolkError) -> Document {
        try await session.container.service.async { try self.document(id: id) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func search(_ search: DocumentSearch = DocumentSearch()) async throws(KinfolkError) -> [Document] {
        try await session.container.service.async { try self.search(search) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func create(_ path: String, contents: [UInt8]) async throws(KinfolkError) -> Document {
        try await session.container.service.async { try self.create(path, contents: contents) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func create(_ path: String, _ upload: AssetUpload) async throws(KinfolkError) -> Document {
        try await session.container.service.async { try self.create(path, upload) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func save(_ document: Document, contents: [UInt8]) async throws(KinfolkError) -> Document {
        try await session.container.service.async { try self.save(document, contents: contents) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func save(_ document: Document, _ upload: AssetUpload) async throws(KinfolkError) -> Document {
        try await session.container.service.async { try self.save(document, upload) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func beginUpload() async throws(KinfolkError) -> AssetUpload {
        try await session.container.service.async { try self.beginUpload() }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func resolve(_ document: Document, keeping version: DocumentVersion) async throws(KinfolkError) -> Document {
        try await session.container.service.async { try self.resolve(document, keeping: version) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func resolve(_ document: Document, contents: [UInt8]) async throws(KinfolkError) -> Document {
        try await session.container.service.async { try self.resolve(document, contents: contents) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func resolve(_ document: Document, _ upload: AssetUpload) async throws(KinfolkError) -> Document {
        try await session.container.service.async { try self.resolve(document, upload) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func restore(_ document: Document, _ version: DocumentVersion) async throws(KinfolkError) -> Document {
        try await session.container.service.async { try self.restore(document, version) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func move(_ document: Document, to path: String) async throws(KinfolkError) -> Document {
        try await session.container.service.async { try self.move(document, to: path) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func setExcludedFromBackup(_ isExcluded: Bool, _ document: Document) async throws(KinfolkError) -> Document {
        try await session.container.service.async { try self.setExcludedFromBackup(isExcluded, document) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func delete(_ document: Document) async throws(KinfolkError) {
        try await session.container.service.async { try self.delete(document) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func reader(
        of document: Document,
        _ version: DocumentVersion? = nil
    ) async throws(KinfolkError) -> AssetReader {
        try await session.container.service.async { try self.reader(of: document, version) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func contents(
        of document: Document,
        _ version: DocumentVersion? = nil
    ) async throws(KinfolkError) -> [UInt8] {
        try await session.container.service.async { try self.contents(of: document, version) }
    }

    /// Like the blocking form, but waits on a thread of the service, which also calls `progress`.
    public func write(
        _ document: Document,
        _ version: DocumentVersion? = nil,
        to path: String,
        progress: @escaping @Sendable (_ done: Int, _ total: Int) throws(KinfolkError) -> Void = { _, _ in }
    ) async throws(KinfolkError) {
        try await session.container.service.async { cancellation in
            try self.write(document, version, to: path) { done, total throws(KinfolkError) in
                try cancellation.check()
                try progress(done, total)
            }
        }
    }

    /// Like the blocking form, but waits on a thread of the service, which also calls `progress`.
    public func export(
        to folder: String,
        includingExcluded: Bool = false,
        progress: @escaping @Sendable (_ done: Int, _ total: Int) throws(KinfolkError) -> Void = { _, _ in }
    ) async throws(KinfolkError) -> DocumentExport {
        try await session.container.service.async { cancellation in
            try self.export(to: folder, includingExcluded: includingExcluded) { done, total throws(KinfolkError) in
                try cancellation.check()
                try progress(done, total)
            }
        }
    }

    /// Like the blocking form, but waits on a thread of the service, which also calls `progress`.
    public func importFolder(
        _ path: String,
        into folder: String? = nil,
        progress: @escaping @Sendable (_ files: Int, _ bytes: Int) throws(KinfolkError) -> Void = { _, _ in }
    ) async throws(KinfolkError) -> DocumentImport {
        try await session.container.service.async { cancellation in
            try self.importFolder(path, into: folder) { files, bytes throws(KinfolkError) in
                try cancellation.check()
                try progress(files, bytes)
            }
        }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func changes(since token: ServerChangeToken? = nil) async throws(KinfolkError) -> DocumentChanges {
        try await session.container.service.async { try self.changes(since: token) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func onChange(
        since token: ServerChangeToken? = nil,
        _ handler: @escaping @Sendable (DocumentChange) -> Void
    ) async throws(KinfolkError) -> StoreObservation {
        try await session.container.service.async { try self.onChange(since: token, handler) }
    }

    /// Like the blocking form, but waits on a thread of the service.
    public func changeStream(
        since token: ServerChangeToken? = nil
    ) async throws(KinfolkError) -> AsyncStream<DocumentChange> {
        try await session.container.service.async { try self.changeStream(since: token) }
    }
}
#endif
