import Kinfolk
import KinfolkJSON

/// `users/caller`, `users/current`, `users/discover`, `users/lookup/email` and `users/lookup/id`.
enum Users {
    /// The caller, at the top of the answer and as its only user: clients read either.
    static func current(_ call: Call) throws(WebError) -> JSON {
        let user = try call.requireUser()
        var members: [(String, JSON)] = [("userRecordName", .string(user.description))]
        members += try ownName(call)
        return .object(members + [("users", [.object(members)])])
    }

    /// The names of the caller, if others can find them.
    private static func ownName(_ call: Call) throws(WebError) -> [(String, JSON)] {
        let name: PersonName? = try calling { () throws(KinfolkError) in
            guard try call.session.discoverability() == .granted, let account = call.session.account else { return nil }
            return try call.service.account(account).name()
        }
        return name.map(names) ?? []
    }

    private static func names(_ name: PersonName) -> [(String, JSON)] {
        [
            ("nameComponents", ["givenName": .string(name.givenName), "familyName": .string(name.familyName)]),
            ("firstName", .string(name.givenName)), ("lastName", .string(name.familyName)),
        ]
    }

    /// Whom a client looks for.
    private enum Wanted {
        case email(String)
        case id(String)
        /// Nobody is found by it.
        case phone(String)

        /// As the answer repeats it.
        var lookupInfo: (String, JSON) {
            switch self {
            case .email(let text): ("emailAddress", .string(text))
            case .id(let text): ("userRecordName", .string(text))
            case .phone(let text): ("phoneNumber", .string(text))
            }
        }
    }

    /// The people whom `lookupInfos` names. One who cannot be found has only the `lookupInfo`, whatever the reason.
    static func discover(_ call: Call) throws(WebError) -> JSON {
        guard call.head.method != "GET" else {
            throw WebError(
                .notFound,
                "The service stores no contact books: send the people to look for, or their hashes."
            )
        }
        let infos = try call.members.listOrOne("lookupInfos") { json throws(WebError) in try wanted(Members(json)) }
        guard let infos else { throw .missing("lookupInfos") }
        return try answer(infos, call) { wanted, identity in
            var members: [(String, JSON)] = [("lookupInfo", .object([wanted.lookupInfo]))]
            if let identity {
                members.append(("userRecordName", .string(identity.userRecordID.description)))
                members += names(identity.name).prefix(1)
            }
            return .object(members)
        }
    }

    /// The people with addresses or IDs, in the older form.
    static func lookup(_ call: Call) throws(WebError) -> JSON {
        let users = try call.members.listOrOne("users") { json throws(WebError) in try wanted(Members(json)) }
        guard let users else { throw .missing("users") }
        return try answer(users, call) { wanted, identity in
            var members = [wanted.lookupInfo]
            if let identity {
                members = [("userRecordName", .string(identity.userRecordID.description))]
                members += names(identity.name).dropFirst()
                if case .email = wanted { members.append(wanted.lookupInfo) }
            }
            return .object(members)
        }
    }

    private static func wanted(_ members: Members) throws(WebError) -> Wanted {
        let email = try members.text("emailAddress")
        let id = try members.text("userRecordName")
        let phone = try members.text("phoneNumber")
        if let email { return .email(email) }
        if let id { return .id(id) }
        if let phone { return .phone(phone) }
        throw WebError(.badRequest, "has neither an emailAddress nor a userRecordName.")
    }

    private static func answer(
        _ wanted: [Wanted],
        _ call: Call,
        _ json: (Wanted, DiscoveredIdentity?) -> JSON
    ) throws(WebError) -> JSON {
        _ = try call.requireUser()
        guard call.caller.mayDiscover else { throw refusal }
        var users: [JSON] = []
        for person in wanted {
            do throws(WebError) { users.append(json(person, try find(person, call.session))) } catch {
                // The caller has paid for those before.
                guard error.code == .throttled, !users.isEmpty else { throw error }
                users.append(.object([("lookupInfo", .object([person.lookupInfo]))] + error.members))
            }
        }
        return ["users": .array(users)]
    }

    static var refusal: WebError { WebError(.accessDenied, "The API token does not allow to look for other users.") }

    private static func find(_ wanted: Wanted, _ session: Session) throws(WebError) -> DiscoveredIdentity? {
        try calling { () throws(KinfolkError) in
            switch wanted {
            case .email(let text):
                let email: EmailAddress
                // A text that is no address belongs to nobody.
                do { email = try EmailAddress(text) } catch { return nil }
                return try session.discover(email)
            case .id(let text):
                let id: UserRecordID
                do { id = try UserRecordID(text) } catch { return nil }
                return try session.discover(id)
            case .phone: return nil
            }
        }
    }
}
