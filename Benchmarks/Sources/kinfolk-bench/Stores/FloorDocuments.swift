import Floors

/// The floor's connection to a document of a ``RecordStore``.
final class FloorDocuments {
    private let store: OpaquePointer
    private let documents: OpaquePointer

    init(_ store: OpaquePointer, _ owner: [UInt8]) {
        self.store = store
        documents = floor_documents_open(store, owner)
    }

    deinit {
        floor_documents_close(documents)
        floor_store_close(store)
    }

    func save(_ bytes: [UInt8]) { floor_documents_save(documents, bytes, bytes.count) }
}
