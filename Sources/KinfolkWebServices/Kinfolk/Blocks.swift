import Kinfolk
import KinfolkJSON

/// `blocks/list` and `blocks/modify`: people who cannot find the caller, and whom the caller cannot find.
enum Blocks {
    static func list(_ call: Call) throws(WebError) -> JSON {
        let blocked = try calling { () throws(KinfolkError) in try call.session.blockedUserRecordIDs() }
        return ["users": .array(blocked.map { ["userRecordName": .text($0)] })]
    }

    static func modify(_ call: Call) throws(WebError) -> JSON {
        let operations = try call.members.list("operations") { json throws(WebError) in
            let members = try Members(json)
            let kind = try members.requiredText("operationType")
            guard ["block", "unblock"].contains(kind) else { throw .malformed("operationType", "block or unblock") }
            let name = try members.requiredText("userRecordName")
            do throws(KinfolkError) { return (isBlock: kind == "block", user: try UserRecordID(name)) } catch {
                throw .malformed("userRecordName", "the ID of a user")
            }
        }
        guard let operations else { throw .missing("operations") }
        var users: [JSON] = []
        for (isBlock, user) in operations {
            do throws(KinfolkError) {
                if isBlock { try call.session.block(user) } else { try call.session.unblock(user) }
                users.append(["userRecordName": .text(user), "isBlocked": .boolean(isBlock)])
            } catch { users.append(.object([("userRecordName", .text(user))] + WebError(error).members)) }
        }
        return ["users": .array(users)]
    }
}
