public import CKinfolk
import Kinfolk

@_cdecl("kinfolk_email_canonicalize") @implementation
public func kinfolk_email_canonicalize(
    _ email: UnsafePointer<CChar>?,
    _ canonical: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let canonical = try output(canonical)
        canonical.pointee = try copied(EmailAddress(text(email)).canonical)
    }
}

@_cdecl("kinfolk_email_hash") @implementation
public func kinfolk_email_hash(_ email: UnsafePointer<CChar>?, _ hash: UnsafeMutablePointer<UInt8>?) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let hash = try output(hash)
        try withText(email, EmailAddress.contactHash).copy(to: hash)
    }
}

extension ContactHash {
    /// Writes the hash to memory that is large enough for it.
    func copy(to memory: UnsafeMutablePointer<UInt8>) {
        withUnsafeBytes { UnsafeMutableRawBufferPointer(start: memory, count: $0.count).copyMemory(from: $0) }
    }
}
