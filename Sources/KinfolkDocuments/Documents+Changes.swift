import KinfolkAccounts
import KinfolkCore
import KinfolkCrypto
public import KinfolkModel
import KinfolkRecords
import KinfolkStorage
public import KinfolkSubscriptions

extension Documents {
    /// The documents that were created, changed or deleted after a token: a page of them, also those that this device changed.
    ///
    /// - Parameter token: The token of the last page; nil for all documents.
    /// - Throws: ``KinfolkError/Code/changeTokenExpired`` if the token is too old, or was made for something else or another store: forget what was
    ///   fetched, and begin without a token, ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing,
    ///   ``KinfolkError/Code/permissionFailure`` if the user never had documents and the service is read-only.
    public func changes(since token: ServerChangeToken? = nil) throws(KinfolkError) -> DocumentChanges {
        if let page = try page(since: token) { return page }
        // The zone is made, so that the token has a position in its changes.
        try session.service.write { db in try session.ensure(.documents, db) }
        guard let page = try page(since: token) else {
            throw KinfolkError(.internalError, "The documents have no zone.")
        }
        return page
    }

    private func page(since token: ServerChangeToken?) throws(KinfolkError) -> DocumentChanges? {
        try session.read(.documents) { zone in
            guard let page = try zone.changes(since: token) else { return nil }
            return DocumentChanges(
                documents: try page.records.map { try DocumentRecord($0).document },
                deleted: page.deleted.map(\.name),
                token: page.token,
                moreComing: page.moreComing
            )
        }
    }

    /// Calls `handler` for each change by another device, on a thread of the service, one after the other, for as long as the observation lives.
    ///
    /// Several changes of a document that come at the same time are reported once. A slow handler delays those of other sessions of the process.
    ///
    /// - Parameter token: The token after which the changes are reported; nil for those from now on.
    /// - Throws: ``KinfolkError/Code/changeTokenExpired`` if the token is too old, or was made for something else or another store,
    ///   ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing, ``KinfolkError/Code/permissionFailure`` if the
    ///   user never had documents and the service is read-only.
    public func onChange(
        since token: ServerChangeToken? = nil,
        _ handler: @escaping @Sendable (DocumentChange) -> Void
    ) throws(KinfolkError) -> StoreObservation {
        let news = try DocumentNews(self, since: token)
        return try session.observe(.documents) { isLive in
            guard let (changes, isBehind) = news.page() else { return .failed }
            for change in changes where isLive() { handler(change) }
            return isBehind ? .more : .read
        }
    }
}
