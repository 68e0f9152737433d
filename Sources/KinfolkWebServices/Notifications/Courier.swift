import Kinfolk
import KinfolkCrypto

/// The device for which a long poll waits: the web session of a person, so that signing out ends it, or one device for each server key.
enum Courier {
    private static let serverDevice = "kinfolkd"

    /// What the ticket of a caller's device holds.
    static func subject(of caller: Caller) -> [UInt8] { caller.kind == .person ? caller.session.device.bytes : [] }

    /// The name of the device, as clients see it.
    static func name(of caller: Caller) -> String {
        let bytes =
            Array("courier".utf8) + (caller.kind == .person ? caller.session.device.bytes : Array(serverDevice.utf8))
        return Hexadecimal.text(SHA256.hash(of: bytes))
    }

    /// The session of a device; nil if the person has signed out.
    static func session(of ticket: Ticket, _ services: WebServices) throws(KinfolkError) -> Session? {
        guard let id = ticket.account else { return nil }
        let container = try services.container(of: ticket)
        let account = try services.service.account(id)
        guard !ticket.subject.isEmpty else { return try container.session(for: account, device: serverDevice) }
        guard let device = ticket.subject.withUnsafeBytes(RandomID.init(bytes:)),
            try isSignedIn(account, device)
        else { return nil }
        let user = try container.session(for: account).recordID
        return Session(container: container, account: id, recordID: user, device: device)
    }

    /// Whether a web session, whose ID is its device, has not ended.
    static func isSignedIn(_ account: Account, _ device: RandomID) throws(KinfolkError) -> Bool {
        try account.webSessions().contains { $0.id == device.hex }
    }

    /// Whether a person may get what has just happened: they may have signed out since the session began to wait. Nobody is told that the
    /// store cannot be read.
    static func isSignedIn(_ session: Session) -> Bool {
        do throws(KinfolkError) { return try session.hasWebSession() } catch {
            return error.code == .serviceUnavailable
        }
    }
}
