public import CKinfolk
import Kinfolk

/// Writes an archive through the caller's function, which may end the export. Pieces without bytes are left out.
private func write(
    _ write: kinfolk_write_fn?,
    _ context: UnsafeMutableRawPointer?,
    _ export: ((([UInt8]) throws(KinfolkError) -> Void) throws(KinfolkError) -> Void)
) throws(KinfolkError) {
    guard let write else { throw KinfolkError.null }
    try export { bytes throws(KinfolkError) in
        guard !bytes.isEmpty else { return }
        let goesOn = bytes.withUnsafeBufferPointer { write($0.baseAddress, $0.count, context) }
        guard goesOn else { throw .cancelled }
    }
}

@_cdecl("kinfolk_account_export_archive") @implementation
public func kinfolk_account_export_archive(
    _ handle: OpaquePointer?,
    _ write: kinfolk_write_fn?,
    _ context: UnsafeMutableRawPointer?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let account = try object(handle, as: AccountHandle.self).account
        try KinfolkC.write(write, context, account.exportArchive)
    }
}

@_cdecl("kinfolk_session_export_archive") @implementation
public func kinfolk_session_export_archive(
    _ handle: OpaquePointer?,
    _ write: kinfolk_write_fn?,
    _ context: UnsafeMutableRawPointer?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        try KinfolkC.write(write, context, session(handle).exportArchive)
    }
}
