import KinfolkAccounts
import KinfolkCore
import KinfolkCrypto
package import KinfolkModel
import KinfolkRecords

/// The changes of documents, by what the caller knows of them. The public calls document behaviour and errors.
///
/// A client whose connection breaks sends a request again. So contents that are stored already, and have become a version of the document, are
/// not saved a second time: the calls return the document as if they had just saved it.
extension Documents {
    package func create(_ path: String, _ contents: DocumentContents) throws(KinfolkError) -> Document {
        try DocumentPath.validate(path)
        return try write(contents) { asset, zone in
            let places = DocumentPlaces(zone)
            if case .stored = contents, let found = try places.document(at: path), let known = found.version(of: asset)
            {
                return found.document.based(on: known.id)
            }
            try places.requireFree(path)
            return try save(DocumentRecord(path: path, version(asset)), in: zone)
        }
    }

    package func save(_ known: KnownDocument, _ contents: DocumentContents) throws(KinfolkError) -> Document {
        try write(contents, known.id) { asset, zone in
            var stored = try Documents.record(known.id, in: zone)
            if let saved = stored.version(of: asset) { return stored.document.based(on: saved.id) }
            let version = version(asset)
            try stored.add(version, madeFrom: known.base)
            return try save(stored, in: zone).based(on: version.id)
        }
    }

    package func resolve(_ known: KnownDocument, keeping version: String) throws(KinfolkError) -> Document {
        try changing(known) { stored in
            try stored.resolve(known) { stored throws(KinfolkError) in
                if version != stored.current.id { try stored.makeCurrent(version, self.version) }
            }
        }
    }

    package func resolve(_ known: KnownDocument, _ contents: DocumentContents) throws(KinfolkError) -> Document {
        try write(contents, known.id) { asset, zone in
            var stored = try Documents.record(known.id, in: zone)
            guard stored.current.asset != asset else { return stored.document }
            try stored.requireCurrent(known)
            try stored.resolve(known) { stored throws(KinfolkError) in
                try stored.add(version(asset), madeFrom: stored.current.id)
            }
            return try save(stored, in: zone)
        }
    }

    package func restore(_ known: KnownDocument, _ version: String) throws(KinfolkError) -> Document {
        try changing(known) { stored in
            guard version != stored.current.id else { return }
            try stored.makeCurrent(version, self.version)
        }
    }

    package func move(_ known: KnownDocument, to path: String) throws(KinfolkError) -> Document {
        try DocumentPath.validate(path)
        return try session.write(to: .documents, [known.id], inserting: 0) { zone in
            var stored = try Documents.record(known.id, in: zone)
            guard !stored.path.utf8.elementsEqual(path.utf8) else { return stored.document.based(on: known.base) }
            try DocumentPlaces(zone).requireFree(path, for: known.id)
            stored.path = path
            return try save(stored, in: zone).based(on: known.base)
        }
    }

    package func setExcludedFromBackup(_ isExcluded: Bool, _ known: KnownDocument) throws(KinfolkError) -> Document {
        try session.write(to: .documents, [known.id], inserting: 0) { zone in
            var stored = try Documents.record(known.id, in: zone)
            guard stored.isExcluded != isExcluded else { return stored.document.based(on: known.base) }
            stored.isExcluded = isExcluded
            return try save(stored, in: zone).based(on: known.base)
        }
    }

    package func delete(_ known: KnownDocument) throws(KinfolkError) {
        try session.write(to: .documents, [known.id], inserting: 0) { zone in
            let stored = try Documents.record(known.id, in: zone)
            try stored.requireCurrent(known)
            guard stored.conflicts.allSatisfy({ known.conflicts.contains($0.id) }) else {
                throw DocumentRecord.changed
            }
            try zone.run([.forceDelete(RecordID(valid: known.id, zone: ReservedZone.documents.name))])
        }
    }

    // MARK: Parts

    /// Changes the documents with new contents, which are stored in the same transaction unless they are already.
    ///
    /// - Parameter id: The document that is changed; nil for a new one.
    private func write(
        _ contents: DocumentContents,
        _ id: String? = nil,
        _ body: (Asset, ReservedZoneTransaction) throws -> Document
    ) throws(KinfolkError) -> Document {
        let names = id.map { [$0] } ?? []
        switch contents {
        case .upload(let upload): return try upload.finish(for: session, savingTo: .documents, names, body)
        case .stored(let asset):
            return try session.write(to: .documents, names, inserting: id == nil ? 1 : 0) { try body(asset, $0) }
        }
    }

    /// Changes a document whose current version is the one that the caller knows.
    private func changing(
        _ known: KnownDocument,
        _ change: (inout DocumentRecord) throws -> Void
    ) throws(KinfolkError) -> Document {
        try session.write(to: .documents, [known.id], inserting: 0) { zone in
            var stored = try Documents.record(known.id, in: zone)
            try stored.requireCurrent(known)
            try change(&stored)
            return try save(stored, in: zone)
        }
    }

    private func save(_ stored: DocumentRecord, in zone: ReservedZoneTransaction) throws -> Document {
        let change = try zone.change(ofRecordNamed: stored.document.id) ?? 0
        let record = stored.record(changedBy: session.device, after: change)
        guard case let saved?? = try zone.run([.forceReplace(record)]).first else {
            throw KinfolkError(.internalError, "A save returned no record.")
        }
        return try DocumentRecord(saved).document
    }

    private func version(_ asset: Asset) -> DocumentVersion {
        DocumentVersion(
            id: RandomID.make().hex,
            asset: asset,
            savedAt: session.service.clock(),
            device: session.deviceName
        )
    }
}
