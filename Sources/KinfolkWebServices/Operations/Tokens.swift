import Kinfolk
import KinfolkJSON

/// `tokens/create` and `tokens/register`: a device of the caller that receives notifications by long polls.
enum Tokens {
    /// How many seconds the URL is valid: two weeks, like a lasting sign-in.
    private static let validity = 1_209_600.0

    /// The device of the caller, which is the same each time.
    static func create(_ call: Call) throws(WebError) -> JSON { try answer(Courier.name(of: call.caller), call) }

    /// The same for a client that has a token already.
    static func register(_ call: Call) throws(WebError) -> JSON {
        try answer(call.members.requiredText("apnsToken"), call)
    }

    private static func answer(_ name: String, _ call: Call) throws(WebError) -> JSON {
        let environment = try environment(call.members)
        return [
            "apnsEnvironment": .string(environment), "apnsToken": .string(name),
            "webcourierURL": .string(try url(call)),
        ]
    }

    private static func environment(_ members: Members) throws(WebError) -> String {
        let environment = try members.text("apnsEnvironment") ?? "production"
        guard ["production", "development"].contains(environment) else {
            throw .malformed("apnsEnvironment", "production or development")
        }
        return environment
    }

    private static func url(_ call: Call) throws(WebError) -> String {
        let ticket = Ticket(.courier, call.caller, call.scope, lasting: validity, subject: [])
        let text = try calling { () throws(KinfolkError) in
            // From now on, notifications wait for the device.
            _ = try Courier.session(of: ticket, call.services).notifications(limit: 1)
            return try ticket.text(call.service)
        }
        return "\(call.services.configuration.origin)/courier/1/\(text)"
    }
}
