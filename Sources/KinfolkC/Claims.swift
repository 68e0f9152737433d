public import CKinfolk
import Kinfolk

/// Claims on addresses at one time.
final class ClaimsHandle: Handle, @unchecked Sendable {
    let claims: [EmailClaim]
    let texts = TextArena()

    init(_ claims: [EmailClaim]) { self.claims = claims }
}

private func account(_ handle: OpaquePointer?) throws(KinfolkError) -> Account {
    try object(handle, as: AccountHandle.self).account
}

private func service(_ handle: OpaquePointer?) throws(KinfolkError) -> Service {
    try object(handle, as: ServiceHandle.self).service
}

@_cdecl("kinfolk_account_claims") @implementation
public func kinfolk_account_claims(
    _ handle: OpaquePointer?,
    _ claims: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let claims = try output(claims)
        claims.pointee = try makeHandle(ClaimsHandle(account(handle).claims()))
    }
}

@_cdecl("kinfolk_account_refuse_claims") @implementation
public func kinfolk_account_refuse_claims(
    _ handle: OpaquePointer?,
    _ email: UnsafePointer<CChar>?,
    _ code: UnsafePointer<CChar>?,
    _ claims: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let refused = try account(handle).refuseClaims(on: EmailAddress(text(email)), code: text(code))
        claims?.pointee = makeHandle(ClaimsHandle(refused))
    }
}

@_cdecl("kinfolk_service_claims") @implementation
public func kinfolk_service_claims(
    _ handle: OpaquePointer?,
    _ after: UnsafePointer<CChar>?,
    _ limit: Int,
    _ claims: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let claims = try output(claims)
        let last = try after == nil ? nil : ClaimID(text(after))
        // A size_t above Int.max arrives as a negative number, and means no limit.
        let page = try service(handle).emailClaims(after: last, limit: limit < 0 ? .max : limit)
        claims.pointee = makeHandle(ClaimsHandle(page))
    }
}

@_cdecl("kinfolk_service_acknowledge_notice") @implementation
public func kinfolk_service_acknowledge_notice(
    _ handle: OpaquePointer?,
    _ claim_id: UnsafePointer<CChar>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in try service(handle).acknowledgeNotice(of: ClaimID(text(claim_id))) }
}

@_cdecl("kinfolk_service_dismiss_claim") @implementation
public func kinfolk_service_dismiss_claim(
    _ handle: OpaquePointer?,
    _ claim_id: UnsafePointer<CChar>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in try service(handle).dismissClaim(ClaimID(text(claim_id))) }
}

@_cdecl("kinfolk_service_transfer_email") @implementation
public func kinfolk_service_transfer_email(
    _ handle: OpaquePointer?,
    _ email: UnsafePointer<CChar>?,
    _ winner: OpaquePointer?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in try service(handle).transferEmail(text(email), to: account(winner)) }
}

@_cdecl("kinfolk_service_claim_wait") @implementation
public func kinfolk_service_claim_wait(
    _ handle: OpaquePointer?,
    _ seconds: UnsafeMutablePointer<Double>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let seconds = try output(seconds)
        seconds.pointee = try service(handle).claimWait()
    }
}

@_cdecl("kinfolk_service_set_claim_wait") @implementation
public func kinfolk_service_set_claim_wait(_ handle: OpaquePointer?, _ seconds: Double) -> kinfolk_status {
    attempt { () throws(KinfolkError) in try service(handle).setClaimWait(seconds) }
}

// MARK: Contents of a list

private func claim(_ handle: OpaquePointer?, _ index: Int) -> EmailClaim? {
    guard let claims = peek(handle, as: ClaimsHandle.self)?.claims, claims.indices.contains(index) else { return nil }
    return claims[index]
}

private func lend(_ handle: OpaquePointer?, _ text: String?) -> UnsafePointer<CChar>? {
    guard let texts = peek(handle, as: ClaimsHandle.self)?.texts else { return nil }
    return text.flatMap(texts.text)
}

@_cdecl("kinfolk_claims_count") @implementation
public func kinfolk_claims_count(_ claims: OpaquePointer?) -> Int {
    peek(claims, as: ClaimsHandle.self)?.claims.count ?? 0
}

@_cdecl("kinfolk_claims_id") @implementation
public func kinfolk_claims_id(_ claims: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    lend(claims, claim(claims, index)?.id.description)
}

@_cdecl("kinfolk_claims_address") @implementation
public func kinfolk_claims_address(_ claims: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    lend(claims, claim(claims, index)?.address)
}

@_cdecl("kinfolk_claims_owner_id") @implementation
public func kinfolk_claims_owner_id(_ claims: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    lend(claims, claim(claims, index)?.owner.description)
}

@_cdecl("kinfolk_claims_claimant_id") @implementation
public func kinfolk_claims_claimant_id(_ claims: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    lend(claims, claim(claims, index)?.claimant.description)
}

@_cdecl("kinfolk_claims_state") @implementation
public func kinfolk_claims_state(_ claims: OpaquePointer?, _ index: Int) -> kinfolk_claim_state {
    kinfolk_claim_state(UInt32(bitPattern: claim(claims, index)?.state.rawValue ?? 0))
}

@_cdecl("kinfolk_claims_opened_at") @implementation
public func kinfolk_claims_opened_at(_ claims: OpaquePointer?, _ index: Int) -> Int64 {
    claim(claims, index)?.openedAt.microseconds ?? 0
}

@_cdecl("kinfolk_claims_noticed_at") @implementation
public func kinfolk_claims_noticed_at(_ claims: OpaquePointer?, _ index: Int) -> Int64 {
    claim(claims, index)?.noticedAt?.microseconds ?? 0
}

@_cdecl("kinfolk_claims_completable_at") @implementation
public func kinfolk_claims_completable_at(_ claims: OpaquePointer?, _ index: Int) -> Int64 {
    claim(claims, index)?.completableAt?.microseconds ?? 0
}

@_cdecl("kinfolk_claims_notice_count") @implementation
public func kinfolk_claims_notice_count(_ claims: OpaquePointer?, _ index: Int) -> Int {
    claim(claims, index)?.notice.count ?? 0
}

@_cdecl("kinfolk_claims_notice") @implementation
public func kinfolk_claims_notice(
    _ claims: OpaquePointer?,
    _ index: Int,
    _ recipient: Int
) -> UnsafePointer<CChar>? {
    guard let notice = claim(claims, index)?.notice, notice.indices.contains(recipient) else { return nil }
    return lend(claims, notice[recipient])
}

@_cdecl("kinfolk_claims_free") @implementation
public func kinfolk_claims_free(_ claims: OpaquePointer?) {
    freeHandle(claims, as: ClaimsHandle.self)
}
