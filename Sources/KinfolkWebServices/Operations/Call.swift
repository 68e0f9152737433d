import Kinfolk
import KinfolkJSON

/// One operation that a caller asks for, with all that answering needs.
struct Call {
    let services: WebServices
    let caller: Caller
    /// The database in the path; the public one for operations without one.
    var scope: DatabaseScope
    let head: WebRequest.Head
    /// The body as it was sent.
    let body: [UInt8]
    /// The members of the body; none if the operation takes something else than JSON.
    let members: Members

    var session: Session { caller.session }
    var service: Service { services.service }
    var database: Database { session.database(scope) }
    var zones: ZoneReader { ZoneReader(user: caller.user, scope: scope) }

    /// Writes records as this call asks for them.
    func recordWriter() throws(WebError) -> RecordWriter {
        var writer = RecordWriter(zones: zones, downloadURL: { asset in Assets.downloadURL(of: asset, self) })
        writer.numbersAsStrings = try members.numbersAsStrings()
        return writer
    }

    /// The schema of the container, as it is now.
    func schema() throws(WebError) -> ContainerSchema {
        try calling { () throws(KinfolkError) in
            try service.read { db in try service.schemas.schema(of: session.container.number, service, db) }
        }
    }

    func requireUser() throws(WebError) -> UserRecordID {
        guard let user = caller.user else { throw services.needsSignIn(caller) }
        return user
    }
}

extension Members {
    /// The member `desiredKeys`: the fields that records of the answer have. Nil for all.
    func desiredKeys() throws(WebError) -> Set<String>? { try texts("desiredKeys").map(Set.init) }
}
