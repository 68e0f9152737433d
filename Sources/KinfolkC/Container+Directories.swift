public import CKinfolk
import Kinfolk
import KinfolkThreads

// Directory modes, and the epochs of the private directory.

@_cdecl("kinfolk_container_directory_modes") @implementation
public func kinfolk_container_directory_modes(
    _ handle: OpaquePointer?,
    _ modes: UnsafeMutablePointer<UInt32>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let modes = try output(modes)
        modes.pointee = try container(handle).directoryModes().rawValue
    }
}

@_cdecl("kinfolk_container_set_directory_modes") @implementation
public func kinfolk_container_set_directory_modes(
    _ handle: OpaquePointer?,
    _ modes: UInt32,
    _ progress: kinfolk_progress_fn?,
    _ context: UnsafeMutableRawPointer?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        try container(handle).setDirectoryModes(DirectoryModes(rawValue: modes)) {
            (done) throws(KinfolkError) in
            try tell(progress, done.people, of: done.total, context)
        }
    }
}

@_cdecl("kinfolk_container_renew_private_key") @implementation
public func kinfolk_container_renew_private_key(
    _ handle: OpaquePointer?,
    _ progress: kinfolk_progress_fn?,
    _ context: UnsafeMutableRawPointer?,
    _ epoch: UnsafeMutablePointer<UInt32>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let epoch = try output(epoch)
        let new = try container(handle).renewPrivateKey {
            (done) throws(KinfolkError) in
            try tell(progress, done.people, of: done.total, context)
        }
        epoch.pointee = new.number
    }
}

@_cdecl("kinfolk_container_announce_next_private_key") @implementation
public func kinfolk_container_announce_next_private_key(
    _ handle: OpaquePointer?,
    _ epoch: UnsafeMutablePointer<UInt32>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let epoch = try output(epoch)
        epoch.pointee = try container(handle).announceNextPrivateKey().number
    }
}

@_cdecl("kinfolk_container_end_private_epochs") @implementation
public func kinfolk_container_end_private_epochs(_ handle: OpaquePointer?, _ before: UInt32) -> kinfolk_status {
    attempt { () throws(KinfolkError) in try container(handle).endPrivateEpochs(before: before) }
}

@_cdecl("kinfolk_container_set_prefix_bits") @implementation
public func kinfolk_container_set_prefix_bits(_ handle: OpaquePointer?, _ bits: Int32) -> kinfolk_status {
    attempt { () throws(KinfolkError) in try container(handle).setPrefixBits(bits == -1 ? nil : Int(bits)) }
}

/// The epochs of a private directory, and the keys that C has borrowed from it.
final class PrivateEpochsHandle: Handle, @unchecked Sendable {
    let epochs: [PrivateEpoch]
    let keys = TextArena()

    init(_ epochs: [PrivateEpoch]) { self.epochs = epochs }
}

@_cdecl("kinfolk_container_private_epochs") @implementation
public func kinfolk_container_private_epochs(
    _ handle: OpaquePointer?,
    _ epochs: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let epochs = try output(epochs)
        epochs.pointee = makeHandle(PrivateEpochsHandle(try container(handle).privateEpochs()))
    }
}

private func epoch(_ handle: OpaquePointer?, _ index: Int) -> PrivateEpoch? {
    guard let epochs = peek(handle, as: PrivateEpochsHandle.self)?.epochs, epochs.indices.contains(index) else {
        return nil
    }
    return epochs[index]
}

@_cdecl("kinfolk_private_epochs_count") @implementation
public func kinfolk_private_epochs_count(_ epochs: OpaquePointer?) -> Int {
    peek(epochs, as: PrivateEpochsHandle.self)?.epochs.count ?? 0
}

@_cdecl("kinfolk_private_epochs_number") @implementation
public func kinfolk_private_epochs_number(_ epochs: OpaquePointer?, _ index: Int) -> UInt32 {
    epoch(epochs, index)?.number ?? 0
}

@_cdecl("kinfolk_private_epochs_public_key") @implementation
public func kinfolk_private_epochs_public_key(_ epochs: OpaquePointer?, _ index: Int) -> UnsafePointer<UInt8>? {
    guard let epoch = epoch(epochs, index) else { return nil }
    return peek(epochs, as: PrivateEpochsHandle.self)?.keys.bytes(epoch.publicKey)
}

@_cdecl("kinfolk_private_epochs_is_complete") @implementation
public func kinfolk_private_epochs_is_complete(_ epochs: OpaquePointer?, _ index: Int) -> Bool {
    epoch(epochs, index)?.isComplete ?? false
}

@_cdecl("kinfolk_private_epochs_is_announced") @implementation
public func kinfolk_private_epochs_is_announced(_ epochs: OpaquePointer?, _ index: Int) -> Bool {
    epoch(epochs, index)?.isAnnounced ?? false
}

@_cdecl("kinfolk_private_epochs_row_count") @implementation
public func kinfolk_private_epochs_row_count(_ epochs: OpaquePointer?, _ index: Int) -> UInt64 {
    UInt64(clamping: epoch(epochs, index)?.rowCount ?? 0)
}

@_cdecl("kinfolk_private_epochs_prefix_bits") @implementation
public func kinfolk_private_epochs_prefix_bits(_ epochs: OpaquePointer?, _ index: Int) -> UInt32 {
    UInt32(clamping: epoch(epochs, index)?.prefixBits ?? 0)
}

@_cdecl("kinfolk_private_epochs_free") @implementation
public func kinfolk_private_epochs_free(_ epochs: OpaquePointer?) {
    freeHandle(epochs, as: PrivateEpochsHandle.self)
}
