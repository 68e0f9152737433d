import Kinfolk
import KinfolkCrypto
import KinfolkJSON

/// `documents/list`, `documents/lookup`, `documents/modify`, `documents/changes` and `documents/upload`: the documents of the caller.
enum OwnDocuments {
    /// The documents that satisfy conditions, in the order of the bytes of their paths, a page of them.
    static func list(_ call: Call) throws(WebError) -> JSON {
        let search = try search(call.members)
        let limit = try call.members.resultsLimit()
        let last = try lastPath(call.members)
        let found = try calling { () throws(KinfolkError) in try call.session.documents.search(search) }
        let rest = found.drop { !last.lexicographicallyPrecedes($0.path.utf8) && !last.isEmpty }
        let page = rest.prefix(limit)
        var members: [(String, JSON)] = [("documents", .array(page.map(DocumentWriter().json)))]
        // The next page begins after this path, also if the document is deleted meanwhile.
        if page.count < rest.count, let path = page.last?.path {
            members.append(("continuationMarker", .string(Base64.text(Array(path.utf8)))))
        }
        return .object(members)
    }

    private static func search(_ members: Members) throws(WebError) -> DocumentSearch {
        var search = DocumentSearch()
        search.name = try members.text("name")
        search.namePrefix = try members.text("namePrefix")
        search.folder = try members.text("folder")
        search.isShallow = try members.flag("isShallow") ?? false
        search.modifiedSince = try members.time("modifiedSince")
        search.modifiedBefore = try members.time("modifiedBefore")
        search.hasConflicts = try members.flag("hasConflicts") ?? false
        return search
    }

    /// The bytes of the path at which the last page has ended; none for the first page.
    private static func lastPath(_ members: Members) throws(WebError) -> [UInt8] {
        guard let text = try members.text("continuationMarker") else { return [] }
        guard let bytes = Base64.bytes(text) else { throw .malformed("continuationMarker", "one of this service") }
        return bytes
    }

    /// How many versions an answer has, and those of one document more.
    private static let maximumVersions = 5_000

    /// Documents by their IDs or paths, with all their versions and the URLs of the contents.
    static func lookup(_ call: Call) throws(WebError) -> JSON {
        let names = try call.members.listOrOne("documents") { json throws(WebError) in try DocumentName(json) }
        guard let names else { throw .missing("documents") }
        let call = call.inPrivateDatabase
        let documents = call.session.documents
        let writer = DocumentWriter(downloadURL: { asset in Assets.downloadURL(of: asset, call) })
        var versions = 0
        let found = names.map { name -> JSON in
            guard versions < maximumVersions else {
                return name.json(
                    WebError(
                        .tryAgainLater,
                        "The documents before this one fill the answer: ask for fewer.",
                        retryAfter: 1
                    )
                )
            }
            do throws(KinfolkError) {
                let document = try name.document(in: documents)
                versions += document.versions.count
                return writer.json(document)
            } catch { return name.json(WebError(error)) }
        }
        return ["documents": .array(found)]
    }

    /// Changes documents, one after the other. Each has its own result.
    static func modify(_ call: Call) throws(WebError) -> JSON {
        let operations = try call.members.list("operations") { json throws(WebError) in
            try DocumentOperation(json, call.zones)
        }
        guard let operations else { throw .missing("operations") }
        let documents = try session(call).documents
        return ["documents": .array(operations.map { $0.answer(documents, DocumentWriter()) })]
    }

    /// The session of the caller, with the name that the client gives to its device. Versions show it.
    private static func session(_ call: Call) throws(WebError) -> Session {
        let session = call.session
        guard let name = try call.members.text("device") else { return session }
        do throws(KinfolkError) { try Device.validate(name: name) } catch { throw WebError(error).within("device") }
        return Session(
            container: session.container,
            account: session.account,
            recordID: session.recordID,
            device: session.device,
            named: name
        )
    }

    /// The documents that were changed or deleted since a token.
    static func changes(_ call: Call) throws(WebError) -> JSON {
        let token = try SyncToken.token("syncToken", in: call.members)
        let page = try calling { () throws(KinfolkError) in try call.session.documents.changes(since: token) }
        let writer = DocumentWriter()
        return [
            "documents": .array(page.documents.map(writer.json) + page.deleted.map(writer.json(deleted:))),
            "syncToken": SyncToken.json(page.token), "moreComing": .boolean(page.moreComing),
        ]
    }

    /// A URL to which the client sends the contents of documents.
    static func upload(_ call: Call) throws(WebError) -> JSON {
        ["url": .string(try Assets.uploadURL(to: ReservedZone.documents.name, call.inPrivateDatabase))]
    }
}

extension Call {
    /// The same call about the private database.
    fileprivate var inPrivateDatabase: Call {
        var call = self
        call.scope = .private
        return call
    }
}
