import Kinfolk
import KinfolkJSON

/// What people may do over an application with what the service holds about them. An application learns nothing about the others that the
/// person uses, and ends nothing in them: the pages of the account do that.
enum OwnAccount {
    static func account(_ call: Call) throws(WebError) -> Account {
        guard let id = call.session.account else { throw call.services.needsSignIn(call.caller) }
        return try calling { () throws(KinfolkError) in try call.service.account(id) }
    }

    /// The export of what the container holds, as JSON.
    static func export(_ call: Call) throws(WebError) -> WebAnswer {
        let text = try calling { () throws(KinfolkError) in try call.session.export() }
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

    /// Erases the account, with all that belongs to it, if the person uses no other container. The body repeats the caller's ID, so that no
    /// request does it by mistake.
    static func erase(_ call: Call) throws(WebError) -> JSON {
        let user = try call.requireUser()
        guard try call.members.requiredText("userRecordName") == user.description else {
            throw .malformed("userRecordName", "the ID of the caller")
        }
        let account = try account(call)
        let isUsedElsewhere = try calling { () throws(KinfolkError) in
            try call.service.read { db in try AccountRows.verified(account.id, call.service, db)?.users.count ?? 0 } > 1
        }
        guard !isUsedElsewhere else {
            var error = WebError(
                .accessDenied,
                "The person erases this account on its own page, because others use it, too."
            )
            error.redirectURL = call.services.configuration.origin + SignInRequest.accountPath
            throw error
        }
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
