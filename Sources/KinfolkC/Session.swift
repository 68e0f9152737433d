public import CKinfolk
import Kinfolk
import KinfolkThreads

/// A session, the texts that C has borrowed from it, and the callbacks that are registered for it.
final class SessionHandle: Handle, @unchecked Sendable {
    let session: Session
    let texts = TextArena()
    // Releasing an observation of an account ends it.
    let accountChanges = ObservationSlot<AccountObservation>()
    let notifications = ObservationSlot<StoreObservation> { $0.cancel() }
    let documentChanges = ObservationSlot<StoreObservation> { $0.cancel() }

    init(_ session: Session) { self.session = session }
}

func session(_ handle: OpaquePointer?) throws(KinfolkError) -> Session {
    try object(handle, as: SessionHandle.self).session
}

@_cdecl("kinfolk_session_open") @implementation
public func kinfolk_session_open(
    _ container: OpaquePointer?,
    _ account: OpaquePointer?,
    _ session: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let session = try output(session)
        let container = try object(container, as: ContainerHandle.self).container
        let account = try object(account, as: AccountHandle.self).account
        session.pointee = try makeHandle(SessionHandle(container.session(for: account)))
    }
}

@_cdecl("kinfolk_session_open_anonymous") @implementation
public func kinfolk_session_open_anonymous(
    _ container: OpaquePointer?,
    _ session: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let session = try output(session)
        let container = try object(container, as: ContainerHandle.self).container
        session.pointee = makeHandle(SessionHandle(container.anonymousSession()))
    }
}

@_cdecl("kinfolk_session_account_status") @implementation
public func kinfolk_session_account_status(
    _ handle: OpaquePointer?,
    _ status: UnsafeMutablePointer<kinfolk_account_status>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let status = try output(status)
        guard let handle = peek(handle, as: SessionHandle.self) else { throw KinfolkError.null }
        status.pointee = kinfolk_account_status(UInt32(bitPattern: handle.session.accountStatus().rawValue))
    }
}

@_cdecl("kinfolk_session_user_record_id") @implementation
public func kinfolk_session_user_record_id(
    _ handle: OpaquePointer?,
    _ id: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let id = try output(id)
        let handle = try object(handle, as: SessionHandle.self)
        id.pointee = handle.texts.text(try handle.session.userRecordID().description)
    }
}

@_cdecl("kinfolk_session_discoverability") @implementation
public func kinfolk_session_discoverability(
    _ handle: OpaquePointer?,
    _ discoverability: UnsafeMutablePointer<kinfolk_discoverability>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let discoverability = try output(discoverability)
        discoverability.pointee = kinfolk_discoverability(try session(handle).discoverability())
    }
}

@_cdecl("kinfolk_session_set_discoverability") @implementation
public func kinfolk_session_set_discoverability(
    _ handle: OpaquePointer?,
    _ discoverability: kinfolk_discoverability,
    _ consent_text: UnsafePointer<CChar>?,
    _ consent_version: UnsafePointer<CChar>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let wording = try ConsentWording(text(consent_text), version: text(consent_version))
        guard let decision = Discoverability(discoverability) else {
            throw KinfolkError(.invalidArgument, "The decision must be granted or denied.")
        }
        try session(handle).setDiscoverability(decision, wording: wording)
    }
}

@_cdecl("kinfolk_session_request_discoverability") @implementation
public func kinfolk_session_request_discoverability(
    _ handle: OpaquePointer?,
    _ consent_text: UnsafePointer<CChar>?,
    _ consent_version: UnsafePointer<CChar>?,
    _ prompt: kinfolk_prompt_fn?,
    _ context: UnsafeMutableRawPointer?,
    _ discoverability: UnsafeMutablePointer<kinfolk_discoverability>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let discoverability = try output(discoverability)
        guard let prompt else { throw KinfolkError.null }
        let wording = try ConsentWording(text(consent_text), version: text(consent_version))
        var isAnswer = true
        let answer = try session(handle).requestDiscoverability(wording: wording) { _ in
            let answer = Discoverability(prompt(consent_text, context))
            isAnswer = answer != nil
            return answer ?? .undetermined
        }
        guard isAnswer else {
            throw KinfolkError(.invalidArgument, "The prompt must return undetermined, granted or denied.")
        }
        discoverability.pointee = kinfolk_discoverability(answer)
    }
}

@_cdecl("kinfolk_session_export") @implementation
public func kinfolk_session_export(
    _ handle: OpaquePointer?,
    _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let json = try output(json)
        json.pointee = try copied(session(handle).export())
    }
}

@_cdecl("kinfolk_session_permits_left") @implementation
public func kinfolk_session_permits_left(
    _ handle: OpaquePointer?,
    _ permits: UnsafeMutablePointer<UInt32>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let permits = try output(permits)
        permits.pointee = try session(handle).permitsLeft()
    }
}

@_cdecl("kinfolk_session_on_account_changed") @implementation
public func kinfolk_session_on_account_changed(
    _ handle: OpaquePointer?,
    _ changed: kinfolk_account_changed_fn?,
    _ context: UnsafeMutableRawPointer?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let handle = try object(handle, as: SessionHandle.self)
        guard handle.session.account != nil else { throw KinfolkError(.notAuthenticated, "The session is anonymous.") }
        let callback = changed.map { Callback(function: $0, context: context) }
        let new = try callback.map { callback throws(KinfolkError) in
            try handle.session.observeAccount { callback.function(callback.context) }
        }
        handle.accountChanges.replace(by: new)
    }
}

/// A function of the host and its context. The host is responsible that it may be called on a thread of the service.
private struct Callback: @unchecked Sendable {
    let function: kinfolk_account_changed_fn
    let context: UnsafeMutableRawPointer?
}

extension Discoverability {
    init?(_ value: kinfolk_discoverability) { self.init(rawValue: Int32(truncatingIfNeeded: value.rawValue)) }
}

extension kinfolk_discoverability {
    init(_ value: Discoverability) { self.init(UInt32(bitPattern: value.rawValue)) }
}

@_cdecl("kinfolk_session_free") @implementation
public func kinfolk_session_free(_ session: OpaquePointer?) {
    // The callbacks may use the session, so the observations end while the session is still usable.
    if let handle = peek(session, as: SessionHandle.self) {
        handle.accountChanges.replace()
        handle.notifications.replace()
        handle.documentChanges.replace()
    }
    freeHandle(session, as: SessionHandle.self)
}
