import Kinfolk
import KinfolkJSON

/// What people may do with all that the service holds about them.
enum OwnAccount {
    static func account(_ call: Call) throws(WebError) -> Account {
        guard let id = call.session.account else { throw call.services.needsSignIn(call.caller) }
        return try calling { () throws(KinfolkError) in try call.service.account(id) }
    }

    /// The export of the account in all containers, as JSON.
    static func export(_ call: Call) throws(WebError) -> WebAnswer {
        let account = try account(call)
        let text = try calling { () throws(KinfolkError) in try account.export() }
        return .response(
            WebResponse(
                headers: [
                    ("content-type", "application/json; charset=utf-8"),
                    ("content-disposition", "attachment; filename=\"export.json\""),
                ] + WebResponse.privateHeaders,
                body: .bytes(Array(text.utf8))
            )
        )
    }

    /// Erases the account, with all that belongs to it. The body repeats the caller's ID, so that no request does it by mistake.
    static func erase(_ call: Call) throws(WebError) -> JSON {
        let user = try call.requireUser()
        guard try call.members.requiredText("userRecordName") == user.description else {
            throw .malformed("userRecordName", "the ID of the caller")
        }
        let account = try account(call)
        let keepsPublicRecords = try call.members.flag("keepsPublicRecords") ?? false
        let erasure = try calling { () throws(KinfolkError) in try account.erase(keepsPublicRecords: keepsPublicRecords)
        }
        return [
            "emails": .count(erasure.emails), "containers": .count(erasure.containers),
            "records": .count(erasure.records),
            "isPending": .boolean(erasure.isPending),
        ]
    }
}
