import KinfolkAccounts
import KinfolkCore
import KinfolkModel
import KinfolkRecords
import KinfolkStorage
import KinfolkSubscriptions
import KinfolkThreads

/// The changes by other devices that one observer has not seen yet.
final class DocumentNews: Sendable {
    private let documents: Documents
    private let token: Lock<ServerChangeToken>

    /// - Parameter token: Where to begin; nil for now.
    init(_ documents: Documents, since token: ServerChangeToken?) throws(KinfolkError) {
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

    /// The next changes, a page of them; nil if they cannot be read now.
    func next() -> [DocumentChange]? {
        do {
            return try token.withLock { token throws(KinfolkError) in try read(&token) }
        } catch {
            switch error.code {
            case .changeTokenExpired:
                guard let present = try? DocumentNews.present(documents) else { return nil }
                token.withLock { $0 = present }
                return [DocumentChange(.missed)]
            // It goes on when the account is in good standing again.
            case .notAuthenticated: return []
            default: return nil
            }
        }
    }

    private func read(_ token: inout ServerChangeToken) throws(KinfolkError) -> [DocumentChange] {
        let (session, start) = (documents.session, token)
        let (changes, end) = try session.read(.documents) { zone in
            var changes: [DocumentChange] = []
            var (position, isBehind) = (start, true)
            // A page is delivered before the next one is read.
            while isBehind && changes.isEmpty {
                guard let page = try zone.changes(since: position) else { break }
                for deletion in page.deleted where deletion.device != session.device {
                    changes.append(DocumentChange(.deleted, documentID: deletion.name))
                }
                for record in page.records {
                    let document = try DocumentRecord(record).document
                    guard document.changedBy != session.device.bytes else { continue }
                    changes.append(DocumentChange(.changed, documentID: document.id, document))
                }
                (position, isBehind) = (page.token, page.moreComing)
            }
            return (changes, position)
        }
        token = end
        return changes
    }
}
