import Kinfolk

/// A document of 10 KB that has as many older versions as are kept, and is saved again and again.
enum DocumentWork {
    private static let records = 100_000
    private static let size = 10_000

    static func measure(_ setting: Setting) throws -> [Section] {
        let store = try RecordStore.ready(records, in: setting.stores).copy(named: "documents", in: setting.scratch)
        defer { store.remove(); store.folder.remove() }
        let documents = try store.database().session.documents
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<size).map { _ in UInt8.random(in: 0...255, using: &generator) }
        func prepared(_ path: String) throws -> Document {
            var document = try documents.create(path, contents: bytes)
            for _ in 0..<Documents.keptVersions { document = try documents.save(document, contents: bytes) }
            return document
        }
        var document = try prepared("test.txt")
        let copy = try store.copy(named: "documents-floor", in: setting.scratch)
        defer { copy.remove(); copy.folder.remove() }
        let floor = try copy.floorDocuments()
        let saving = try Pair(.wall, runs: setting.isQuick ? 9 : 25, repeats: 50) { _ in
            document = try documents.save(document, contents: bytes)
        } floor: { _ in
            floor.save(bytes)
        }
        guard document.conflicts.isEmpty, document.olderVersions.count == Documents.keptVersions else {
            throw Failure("The document has other versions than expected.")
        }
        return [
            Section(
                title: "A document of 10 KB in a store of \(Unit.grouped(records)) records",
                rows: [Row("saved, durable", saving, in: .microseconds, goal: .ratioAtMost(1 / 0.8))]
            )
        ]
    }
}
