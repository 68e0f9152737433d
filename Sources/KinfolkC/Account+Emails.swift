public import CKinfolk
import Kinfolk

/// The addresses of an account at one time.
final class EmailsHandle: Handle, @unchecked Sendable {
    let emails: [AccountEmail]
    let texts = TextArena()

    init(_ emails: [AccountEmail]) { self.emails = emails }
}

private func account(_ handle: OpaquePointer?) throws(KinfolkError) -> Account {
    try object(handle, as: AccountHandle.self).account
}

@_cdecl("kinfolk_account_add_email") @implementation
public func kinfolk_account_add_email(
    _ handle: OpaquePointer?,
    _ email: UnsafePointer<CChar>?,
    _ verified: Bool,
    _ claim: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let verification = try account(handle).addEmail(text(email), verified: verified)
        claim?.pointee = (verification?.claim).map { makeHandle(ClaimsHandle([$0])) }
    }
}

@_cdecl("kinfolk_account_request_verification") @implementation
public func kinfolk_account_request_verification(
    _ handle: OpaquePointer?,
    _ email: UnsafePointer<CChar>?,
    _ purpose: kinfolk_code_purpose,
    _ pass: UnsafePointer<CChar>?,
    _ recipient: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
    _ code: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
    _ next_pass: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let outputs = (try output(recipient), try output(code), try output(next_pass))
        guard let purpose = CodePurpose(rawValue: Int32(truncatingIfNeeded: purpose.rawValue)) else {
            throw KinfolkError(.invalidArgument, "The purpose of the code is unknown.")
        }
        let presented = try pass == nil ? nil : text(pass)
        let mail = try account(handle).requestVerification(
            of: EmailAddress(text(email)),
            for: purpose,
            pass: presented
        )
        // Makes all copies before it sets an output, so that a failure leaves the outputs unchanged.
        var copies: [UnsafeMutablePointer<CChar>] = []
        do throws(KinfolkError) {
            for text in mail.map({ [$0.recipient, $0.code, $0.pass] }) ?? [] { copies.append(try copied(text)) }
        } catch {
            for copy in copies { kinfolk_free(copy) }
            throw error
        }
        outputs.0.pointee = copies.first
        outputs.1.pointee = mail == nil ? nil : copies[1]
        outputs.2.pointee = copies.last
    }
}

@_cdecl("kinfolk_account_verify_email") @implementation
public func kinfolk_account_verify_email(
    _ handle: OpaquePointer?,
    _ email: UnsafePointer<CChar>?,
    _ code: UnsafePointer<CChar>?,
    _ claim: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let claim = try output(claim)
        let verification = try account(handle).verifyEmail(EmailAddress(text(email)), code: text(code))
        claim.pointee = verification.claim.map { makeHandle(ClaimsHandle([$0])) }
    }
}

@_cdecl("kinfolk_account_confirm_sign_in") @implementation
public func kinfolk_account_confirm_sign_in(
    _ handle: OpaquePointer?,
    _ email: UnsafePointer<CChar>?,
    _ code: UnsafePointer<CChar>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        try account(handle).confirmSignIn(EmailAddress(text(email)), code: text(code))
    }
}

@_cdecl("kinfolk_account_set_email_discoverable") @implementation
public func kinfolk_account_set_email_discoverable(
    _ handle: OpaquePointer?,
    _ email: UnsafePointer<CChar>?,
    _ discoverable: Bool
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        try account(handle).setEmailDiscoverable(EmailAddress(text(email)), discoverable)
    }
}

@_cdecl("kinfolk_account_remove_email") @implementation
public func kinfolk_account_remove_email(_ handle: OpaquePointer?, _ email: UnsafePointer<CChar>?) -> kinfolk_status {
    attempt { () throws(KinfolkError) in try account(handle).removeEmail(EmailAddress(text(email))) }
}

@_cdecl("kinfolk_account_emails") @implementation
public func kinfolk_account_emails(
    _ handle: OpaquePointer?,
    _ emails: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let emails = try output(emails)
        emails.pointee = try makeHandle(EmailsHandle(account(handle).emails()))
    }
}

private func email(_ handle: OpaquePointer?, _ index: Int) -> AccountEmail? {
    guard let emails = peek(handle, as: EmailsHandle.self)?.emails, emails.indices.contains(index) else {
        return nil
    }
    return emails[index]
}

@_cdecl("kinfolk_emails_count") @implementation
public func kinfolk_emails_count(_ emails: OpaquePointer?) -> Int {
    peek(emails, as: EmailsHandle.self)?.emails.count ?? 0
}

@_cdecl("kinfolk_emails_address") @implementation
public func kinfolk_emails_address(_ emails: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    guard let handle = peek(emails, as: EmailsHandle.self), let email = email(emails, index) else { return nil }
    return handle.texts.text(email.spelling)
}

@_cdecl("kinfolk_emails_is_verified") @implementation
public func kinfolk_emails_is_verified(_ emails: OpaquePointer?, _ index: Int) -> Bool {
    email(emails, index)?.isVerified ?? false
}

@_cdecl("kinfolk_emails_is_discoverable") @implementation
public func kinfolk_emails_is_discoverable(_ emails: OpaquePointer?, _ index: Int) -> Bool {
    email(emails, index)?.isDiscoverable ?? false
}

@_cdecl("kinfolk_emails_free") @implementation
public func kinfolk_emails_free(_ emails: OpaquePointer?) {
    freeHandle(emails, as: EmailsHandle.self)
}
