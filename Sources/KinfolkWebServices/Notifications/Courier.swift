import Kinfolk
import KinfolkCrypto

/// The device for which a long poll waits: the web session of a person, or one device for each server key.
enum Courier {
    private static let serverDevice = "kinfolkd"

    /// The name of the device, as clients see it.
    static func name(of caller: Caller) -> String {
        let bytes =
            Array("courier".utf8) + (caller.kind == .person ? caller.session.device.bytes : Array(serverDevice.utf8))
        return Hexadecimal.text(SHA256.hash(of: bytes))
    }

    /// The session of a device.
    ///
    /// - Throws: ``KinfolkError/Code/notAuthenticated`` if the person has signed out, or the server's key was removed.
    static func session(of ticket: Ticket, _ services: WebServices) throws(KinfolkError) -> Session {
        let container = try ticket.validContainer(services)
        guard let id = ticket.account else { throw KinfolkError(.notAuthenticated, "An application has no device.") }
        let account = try services.service.account(id)
        guard case .webSession(let device) = ticket.credential else {
            return try container.session(for: account, device: serverDevice)
        }
        let user = try container.session(for: account).recordID
        return Session(container: container, account: id, recordID: user, device: device)
    }
}
