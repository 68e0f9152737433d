import Kinfolk
import KinfolkCore
import KinfolkCrypto

/// Something that a URL allows its holder for some time: to upload a file, to read one, or to wait for notifications.
///
/// It is sealed under a key of the store, so that nobody else can make or change one, and needs no row in the store. What it allows is still
/// limited by the rights of its user at the time when it is used.
struct Ticket: Sendable {
    /// What it allows. A ticket for one purpose is not valid for another.
    enum Purpose: UInt8, Sendable {
        case upload = 1
        case download = 2
        case courier = 3
        case signIn = 4
    }

    let purpose: Purpose
    let container: String
    let containerNumber: Int64
    let environment: ContainerEnvironment
    let scope: DatabaseScope
    /// The account of the caller; nil for an application.
    let account: AccountID?
    /// By what the caller has proved who it is. The ticket ends with it.
    let credential: Credential
    let expires: Timestamp
    /// What it is about, by purpose.
    let subject: [UInt8]

    private static let version: UInt8 = 1
    private static let place = SealedPlace("web", "ticket")

    /// The text for a URL.
    func text(_ service: Service) throws(KinfolkError) -> String {
        var bytes: [UInt8] = [
            Ticket.version, purpose.rawValue, UInt8(truncatingIfNeeded: environment.rawValue),
            UInt8(truncatingIfNeeded: scope.rawValue),
        ]
        withUnsafeBytes(of: expires.microseconds.bigEndian) { bytes.append(contentsOf: $0) }
        withUnsafeBytes(of: containerNumber.bigEndian) { bytes.append(contentsOf: $0) }
        bytes.append(account == nil ? 0 : 1)
        bytes += account?.value.bytes ?? []
        bytes.append(UInt8(truncatingIfNeeded: credential.bytes.count))
        bytes += credential.bytes
        bytes.append(UInt8(truncatingIfNeeded: container.utf8.count))
        bytes += container.utf8
        bytes += subject
        // The keys that were read last do: older ones open it, too.
        let sealed: [UInt8]
        do {
            let latest = service.keychain.latest
            sealed =
                try latest?.syncStates.seal(bytes, at: Ticket.place)
                ?? service.read { db in try service.keys(db).syncStates.seal(bytes, at: Ticket.place) }
        } catch { throw KinfolkError(error) }
        return Base64.text(sealed, urlSafe: true)
    }

    /// Nil if it is no ticket for this purpose, or has expired.
    init?(_ text: String, for purpose: Purpose, _ service: Service) throws(KinfolkError) {
        guard let sealed = Base64.bytes(text, urlSafe: true) else { return nil }
        let opened = try service.read { db in try? service.keys(db).syncStates.open(sealed, at: Ticket.place) }
        guard var rest = opened?[...] else { return nil }
        func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }
        guard take(1)?.first == Ticket.version, take(1)?.first == purpose.rawValue,
            let environment = take(1)?.first.flatMap({ ContainerEnvironment(rawValue: Int64($0)) }),
            let scope = take(1)?.first.flatMap({ DatabaseScope(rawValue: Int32($0)) }),
            let expires = take(8)?.reduce(0, { $0 << 8 | UInt64($1) }),
            let number = take(8)?.reduce(0, { $0 << 8 | UInt64($1) }), let hasAccount = take(1)?.first
        else { return nil }
        var account: AccountID?
        if hasAccount == 1 {
            guard let id = take(RandomID.length)?.withUnsafeBytes(RandomID.init(bytes:)) else { return nil }
            account = AccountID(id)
        }
        guard let size = take(1)?.first, let credential = take(Int(size)).flatMap(Credential.init(bytes:)),
            let length = take(1)?.first, let name = take(Int(length))
        else { return nil }
        self.purpose = purpose
        self.credential = credential
        (self.environment, self.scope, self.account) = (environment, scope, account)
        self.expires = Timestamp(microseconds: Int64(bitPattern: expires))
        containerNumber = Int64(bitPattern: number)
        container = String(decoding: name, as: UTF8.self)
        subject = Array(rest)
        guard service.clock() < self.expires else { return nil }
    }

    init(
        _ purpose: Purpose,
        _ caller: Caller,
        _ scope: DatabaseScope,
        lasting seconds: Double,
        subject: [UInt8]
    ) {
        self.purpose = purpose
        container = caller.session.container.name
        containerNumber = caller.session.container.number
        environment = caller.session.container.environment
        self.scope = scope
        account = caller.session.account
        credential = caller.credential
        expires = caller.session.container.service.clock().adding(seconds: seconds)
        self.subject = subject
    }

    /// The container.
    ///
    /// - Throws: ``KinfolkError/Code/notAuthenticated`` if the caller has no right any more to what it got.
    func validContainer(_ services: WebServices) throws(KinfolkError) -> Container {
        let container = try services.container(of: self)
        guard try credential.isValid(for: account, in: container) else {
            throw KinfolkError(.notAuthenticated, "The caller has signed out, or its key was removed.")
        }
        return container
    }

    /// The database, as the ticket's user may use it now.
    func database(_ services: WebServices) throws(KinfolkError) -> Database {
        let container = try validContainer(services)
        guard let account else { return container.anonymousSession().database(scope) }
        do throws(KinfolkError) {
            return try container.session(for: services.service.account(account)).database(scope)
        } catch {
            if error.code == .unknownItem { services.forget(container) }
            throw error
        }
    }
}
