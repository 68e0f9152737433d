import KinfolkModel
import KinfolkRecords

/// The paths of a user's documents, in one transaction.
struct DocumentPlaces {
    private let zone: ReservedZoneTransaction

    init(_ zone: ReservedZoneTransaction) { self.zone = zone }

    /// The document with this path; nil if there is none.
    func document(at path: String) throws -> DocumentRecord? {
        let found = try zone.records(
            of: ReservedType.document,
            with: ReservedType.path,
            .bytes(DocumentRecord.hash(path)),
            limit: 1
        ).first.map(DocumentRecord.init)
        // The rows of an index are not authenticated.
        guard found.map({ $0.path.utf8.elementsEqual(path.utf8) }) ?? true else { throw DocumentPlaces.misplaced }
        return found
    }

    static var misplaced: KinfolkError {
        .damaged("A document does not belong to the entry of an index that names it.")
    }

    /// Throws unless a document can get this path.
    ///
    /// - Parameter id: The document that gets it. Its present path does not count.
    func requireFree(_ path: String, for id: String? = nil) throws {
        let folders = DocumentPath.folders(of: path)
        try zone.askAhead {
            for path in folders + [path] { _ = try document(at: path) }
            _ = try documents(in: path)
        }
        guard try document(at: path) == nil else {
            throw KinfolkError(.conflict, "There is a document with this path.")
        }
        guard try documents(in: path).allSatisfy({ $0.document.id == id }) else {
            throw KinfolkError(.conflict, "There is a folder with this path.")
        }
        for folder in folders {
            guard let found = try document(at: folder), found.document.id != id else { continue }
            throw KinfolkError(.conflict, "A folder of this path is a document.")
        }
    }

    /// The first documents in a folder, at any depth.
    private func documents(in folder: String, limit: Int = 2) throws -> [DocumentRecord] {
        let found = try zone.records(
            of: ReservedType.document,
            with: ReservedType.folders,
            .bytesList([DocumentRecord.hash(folder)]),
            limit: limit
        ).map(DocumentRecord.init)
        let start = Array(folder.utf8) + [DocumentPath.slash]
        guard found.allSatisfy({ $0.path.utf8.starts(with: start) }) else { throw DocumentPlaces.misplaced }
        return found
    }

    /// Calls `body` for each document.
    ///
    /// - Parameter folder: Only those in it, at any depth; nil for all.
    func forEachDocument(in folder: String?, _ body: (Document) throws -> Void) throws {
        guard let folder else { return try zone.forEachRecord { try body(DocumentRecord($0).document) } }
        for found in try documents(in: folder, limit: .max) { try body(found.document) }
    }
}
