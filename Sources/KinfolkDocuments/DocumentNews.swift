import KinfolkAccounts
import KinfolkCore
package import KinfolkModel
import KinfolkRecords
import KinfolkStorage
import KinfolkSubscriptions
import KinfolkThreads

/// The changes by other devices that one observer has not seen yet.
package final class DocumentNews: Sendable {
    private let documents: Documents
    /// Where the next page begins.
    private let token: Lock<ServerChangeToken>

    /// - Parameter token: Where to begin; nil for now.
    package init(_ documents: Documents, since token: ServerChangeToken?) throws(KinfolkError) {
        self.documents = documents
        if let token {
            // Checks it.
            _ = try documents.changes(since: token)
            self.token = Lock(token)
        } else {
            self.token = Lock(try DocumentNews.present(documents))
        }
    }

    private static func present(_ documents: Documents) throws(KinfolkError) -> ServerChangeToken {
        func read() throws(KinfolkError) -> ServerChangeToken? {
            try documents.session.read(.documents) { try $0.presentToken() }
        }
        if let token = try read() { return token }
        try documents.session.service.write { db in try documents.session.ensure(.documents, db) }
        guard let token = try read() else { throw KinfolkError(.internalError, "The documents have no zone.") }
        return token
    }

    /// The next changes, some of them if there are many; nil if they cannot be read now.
    package func next() -> [DocumentChange]? {
        while let (changes, isBehind) = page() {
            if !changes.isEmpty || !isBehind { return changes }
        }
        return nil
    }

    /// The next changes, a page of them, and whether there may be more; nil if they cannot be read now.
    func page() -> (changes: [DocumentChange], isBehind: Bool)? {
        do {
            return try token.withLock { token throws(KinfolkError) in try read(&token) }
        } catch {
            switch error.code {
            // What is damaged would be read again and again.
            case .changeTokenExpired, .storeCorrupt:
                guard let present = try? DocumentNews.present(documents) else { return nil }
                token.withLock { $0 = present }
                return ([DocumentChange(.missed)], false)
            // It goes on when the account is in good standing again.
            case .notAuthenticated: return ([], false)
            default: return nil
            }
        }
    }

    private func read(
        _ token: inout ServerChangeToken
    ) throws(KinfolkError) -> (changes: [DocumentChange], isBehind: Bool) {
        let (session, start) = (documents.session, token)
        let page = try session.read(.documents) { try $0.changes(since: start) }
        guard let page else { return ([], false) }
        var changes: [DocumentChange] = []
        for deletion in page.deleted where deletion.device != session.device {
            changes.append(DocumentChange(.deleted, documentID: deletion.name))
        }
        for record in page.records {
            let record = try DocumentRecord(record)
            // If this device has changed it last, others may have changed it before.
            guard record.changedBy != session.device.bytes || record.changeOfOthers > page.start else { continue }
            changes.append(DocumentChange(.changed, documentID: record.document.id, record.document))
        }
        token = page.token
        return (changes, page.moreComing)
    }
}
