public import CKinfolk
import Kinfolk

/// The web sessions of an account at one time.
final class WebSessionsHandle: Handle, @unchecked Sendable {
    let sessions: [WebSession]
    let texts = TextArena()

    init(_ sessions: [WebSession]) { self.sessions = sessions }
}

private func account(_ handle: OpaquePointer?) throws(KinfolkError) -> Account {
    try object(handle, as: AccountHandle.self).account
}

@_cdecl("kinfolk_account_web_sessions") @implementation
public func kinfolk_account_web_sessions(
    _ handle: OpaquePointer?,
    _ sessions: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let sessions = try output(sessions)
        sessions.pointee = try makeHandle(WebSessionsHandle(account(handle).webSessions()))
    }
}

@_cdecl("kinfolk_account_end_web_session") @implementation
public func kinfolk_account_end_web_session(
    _ handle: OpaquePointer?,
    _ id: UnsafePointer<CChar>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in try account(handle).endWebSession(text(id)) }
}

@_cdecl("kinfolk_account_end_web_sessions") @implementation
public func kinfolk_account_end_web_sessions(_ handle: OpaquePointer?) -> kinfolk_status {
    attempt { () throws(KinfolkError) in try account(handle).endWebSessions() }
}

// MARK: Contents of a list

private func session(_ handle: OpaquePointer?, _ index: Int) -> WebSession? {
    guard let sessions = peek(handle, as: WebSessionsHandle.self)?.sessions, sessions.indices.contains(index) else {
        return nil
    }
    return sessions[index]
}

private func lend(_ handle: OpaquePointer?, _ text: String?) -> UnsafePointer<CChar>? {
    guard let texts = peek(handle, as: WebSessionsHandle.self)?.texts else { return nil }
    return text.flatMap(texts.text)
}

@_cdecl("kinfolk_web_sessions_count") @implementation
public func kinfolk_web_sessions_count(_ sessions: OpaquePointer?) -> Int {
    peek(sessions, as: WebSessionsHandle.self)?.sessions.count ?? 0
}

@_cdecl("kinfolk_web_sessions_id") @implementation
public func kinfolk_web_sessions_id(_ sessions: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    lend(sessions, session(sessions, index)?.id)
}

@_cdecl("kinfolk_web_sessions_container") @implementation
public func kinfolk_web_sessions_container(_ sessions: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    lend(sessions, session(sessions, index)?.container)
}

@_cdecl("kinfolk_web_sessions_environment") @implementation
public func kinfolk_web_sessions_environment(_ sessions: OpaquePointer?, _ index: Int) -> kinfolk_environment {
    let environment = session(sessions, index)?.environment ?? .production
    return kinfolk_environment(UInt32(truncatingIfNeeded: environment.rawValue))
}

@_cdecl("kinfolk_web_sessions_api_token_name") @implementation
public func kinfolk_web_sessions_api_token_name(_ sessions: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    lend(sessions, session(sessions, index)?.apiTokenName)
}

@_cdecl("kinfolk_web_sessions_created_at") @implementation
public func kinfolk_web_sessions_created_at(_ sessions: OpaquePointer?, _ index: Int) -> Int64 {
    session(sessions, index)?.createdAt.microseconds ?? 0
}

@_cdecl("kinfolk_web_sessions_signed_in_at") @implementation
public func kinfolk_web_sessions_signed_in_at(_ sessions: OpaquePointer?, _ index: Int) -> Int64 {
    session(sessions, index)?.signedInAt.microseconds ?? 0
}

@_cdecl("kinfolk_web_sessions_expires_at") @implementation
public func kinfolk_web_sessions_expires_at(_ sessions: OpaquePointer?, _ index: Int) -> Int64 {
    session(sessions, index)?.expiresAt.microseconds ?? 0
}

@_cdecl("kinfolk_web_sessions_is_lasting") @implementation
public func kinfolk_web_sessions_is_lasting(_ sessions: OpaquePointer?, _ index: Int) -> Bool {
    session(sessions, index)?.isLasting ?? false
}

@_cdecl("kinfolk_web_sessions_free") @implementation
public func kinfolk_web_sessions_free(_ sessions: OpaquePointer?) {
    freeHandle(sessions, as: WebSessionsHandle.self)
}
