import Kinfolk
import KinfolkCrypto
import KinfolkJSON

/// `tokens/create` and `tokens/register`: a device of the caller that receives notifications by long polls.
enum Tokens {
    /// How many seconds the URL is valid: two weeks, like a lasting sign-in.
    private static let validity = 1_209_600.0

    /// Makes a device.
    static func create(_ call: Call) throws(WebError) -> JSON {
        let environment = try environment(call.members)
        let name = Hexadecimal.text(SecureRandom.bytes(32))
        return [
            "apnsEnvironment": .string(environment), "apnsToken": .string(name),
            "webcourierURL": .string(try url(forDevice: name, call)),
        ]
    }

    /// Registers a device that the client has made: its token becomes the name.
    static func register(_ call: Call) throws(WebError) -> JSON {
        let environment = try environment(call.members)
        let name = try call.members.requiredText("apnsToken")
        return [
            "apnsEnvironment": .string(environment), "apnsToken": .string(name),
            "webcourierURL": .string(try url(forDevice: name, call)),
        ]
    }

    private static func environment(_ members: Members) throws(WebError) -> String {
        let environment = try members.text("apnsEnvironment") ?? "production"
        guard ["production", "development"].contains(environment) else {
            throw .malformed("apnsEnvironment", "production or development")
        }
        return environment
    }

    private static func url(forDevice name: String, _ call: Call) throws(WebError) -> String {
        let ticket = Ticket(.courier, call.caller, call.scope, lasting: validity, subject: Array(name.utf8))
        let text = try calling { () throws(KinfolkError) in
            // From now on, notifications wait for the device.
            _ = try ticket.session(onDevice: name, call.services).notifications(limit: 1)
            return try ticket.text(call.service)
        }
        return "\(call.services.configuration.origin)/courier/1/\(text)"
    }
}
