public import CKinfolk
import Kinfolk
import KinfolkFiles
import KinfolkThreads

/// An asset of a record, or a file that is being written to a database and becomes an asset. It keeps the database open.
final class AssetHandle: Handle, @unchecked Sendable {
    private struct State {
        /// Nil while the file is being written.
        var asset: Asset?
        /// Made by the first call that reads. It keeps the chunk that was read last.
        var reader: AssetReader?
    }

    /// Nil for an asset that was taken from a record without a database.
    private let database: Database?
    /// Nil for an asset of a record.
    private let upload: AssetUpload?
    private let state: Lock<State>

    init(_ upload: AssetUpload, to database: Database) {
        (self.upload, self.database) = (upload, database)
        state = Lock(State())
    }

    init(_ asset: Asset, in database: Database?) {
        (upload, self.database) = (nil, database)
        state = Lock(State(asset: asset))
    }

    var size: Int { state.withLock(\.asset)?.size ?? upload?.size ?? 0 }

    /// The asset, which exists when the file is complete.
    func asset() throws(KinfolkError) -> Asset {
        guard let asset = state.withLock(\.asset) else {
            throw KinfolkError(.invalidArgument, "The asset is not complete: call kinfolk_asset_finish first.")
        }
        return asset
    }

    /// The asset and the database in which its content is.
    func content() throws(KinfolkError) -> (asset: Asset, database: Database) {
        let asset = try asset()
        guard let database else {
            throw KinfolkError(.invalidArgument, "The asset was taken from its record without a database.")
        }
        return (asset, database)
    }

    func reader() throws(KinfolkError) -> AssetReader {
        if let known = state.withLock(\.reader) { return known }
        // Outside of the lock, because it reads the store. If two threads make a reader, both use the first one.
        let (asset, database) = try content()
        let new = try database.reader(of: asset)
        return state.withLock { state in
            let reader = state.reader ?? new
            state.reader = reader
            return reader
        }
    }

    /// The upload to which bytes can be added.
    func writer() throws(KinfolkError) -> AssetUpload {
        guard let upload else { throw KinfolkError(.invalidArgument, "An asset of a record cannot be changed.") }
        return upload
    }

    func finish() throws(KinfolkError) {
        guard let upload else { return }
        let asset = try upload.finish()
        state.withLock { $0.asset = asset }
    }

    func cancel() { upload?.cancel() }
}

/// A complete asset, which is in memory: this is allowed in a forked child.
func asset(_ handle: OpaquePointer?) throws(KinfolkError) -> Asset {
    guard let handle = peek(handle, as: AssetHandle.self) else { throw KinfolkError.null }
    return try handle.asset()
}

// MARK: Writing

@_cdecl("kinfolk_asset_new") @implementation
public func kinfolk_asset_new(
    _ handle: OpaquePointer?,
    _ zone: UnsafePointer<CChar>?,
    _ asset: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let asset = try output(asset)
        let database = try database(handle)
        let upload = try database.beginUpload(zone: zoneName(zone))
        asset.pointee = makeHandle(AssetHandle(upload, to: database))
    }
}

@_cdecl("kinfolk_asset_write") @implementation
public func kinfolk_asset_write(
    _ asset: OpaquePointer?,
    _ bytes: UnsafePointer<UInt8>?,
    _ length: Int
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let upload = try object(asset, as: AssetHandle.self).writer()
        try upload.write(KinfolkC.bytes(bytes, length))
    }
}

@_cdecl("kinfolk_asset_add_file") @implementation
public func kinfolk_asset_add_file(
    _ asset: OpaquePointer?,
    _ path: UnsafePointer<CChar>?,
    _ progress: kinfolk_progress_fn?,
    _ context: UnsafeMutableRawPointer?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let upload = try object(asset, as: AssetHandle.self).writer()
        try upload.add(file: KinfolkC.path(path)) { (done, total) throws(KinfolkError) in
            try tell(progress, done, of: total, context)
        }
    }
}

@_cdecl("kinfolk_asset_finish") @implementation
public func kinfolk_asset_finish(_ asset: OpaquePointer?) -> kinfolk_status {
    attempt { () throws(KinfolkError) in try object(asset, as: AssetHandle.self).finish() }
}

@_cdecl("kinfolk_asset_cancel") @implementation
public func kinfolk_asset_cancel(_ asset: OpaquePointer?) -> kinfolk_status {
    attempt { () throws(KinfolkError) in try object(asset, as: AssetHandle.self).cancel() }
}

// MARK: Reading

@_cdecl("kinfolk_asset_size") @implementation
public func kinfolk_asset_size(_ asset: OpaquePointer?) -> UInt64 {
    UInt64(clamping: peek(asset, as: AssetHandle.self)?.size ?? 0)
}

@_cdecl("kinfolk_asset_sha256") @implementation
public func kinfolk_asset_sha256(
    _ asset: OpaquePointer?,
    _ digest: UnsafeMutablePointer<UInt8>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let digest = try output(digest)
        let bytes = try KinfolkC.asset(asset).sha256
        digest.update(from: bytes, count: min(bytes.count, Int(KINFOLK_DIGEST_LENGTH)))
    }
}

@_cdecl("kinfolk_asset_read") @implementation
public func kinfolk_asset_read(
    _ asset: OpaquePointer?,
    _ offset: UInt64,
    _ buffer: UnsafeMutablePointer<UInt8>?,
    _ capacity: Int,
    _ count: UnsafeMutablePointer<Int>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let count = try output(count)
        let target = try space(buffer, capacity)
        count.pointee = try object(asset, as: AssetHandle.self).reader().read(at: Int(clamping: offset), into: target)
    }
}

@_cdecl("kinfolk_asset_save_to_file") @implementation
public func kinfolk_asset_save_to_file(
    _ asset: OpaquePointer?,
    _ path: UnsafePointer<CChar>?,
    _ progress: kinfolk_progress_fn?,
    _ context: UnsafeMutableRawPointer?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let handle = try object(asset, as: AssetHandle.self)
        let (asset, database) = try handle.content()
        try database.save(asset, to: KinfolkC.path(path)) { (done, total) throws(KinfolkError) in
            try tell(progress, done, of: total, context)
        }
    }
}

@_cdecl("kinfolk_asset_free") @implementation
public func kinfolk_asset_free(_ asset: OpaquePointer?) {
    // In a forked child the file belongs to the parent, which may still write it.
    if let handle = peek(asset, as: AssetHandle.self), !handle.isInherited { handle.cancel() }
    freeHandle(asset, as: AssetHandle.self)
}

// MARK: Fields

@_cdecl("kinfolk_record_get_asset") @implementation
public func kinfolk_record_get_asset(
    _ record: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ database: OpaquePointer?,
    _ asset: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let asset = try output(asset)
        let database = try database.map { database throws(KinfolkError) in try KinfolkC.database(database) }
        guard case .asset(let found) = try field(record, name).value else { throw KinfolkError.otherType }
        asset.pointee = makeHandle(AssetHandle(found, in: database))
    }
}

@_cdecl("kinfolk_value_get_asset") @implementation
public func kinfolk_value_get_asset(
    _ value: OpaquePointer?,
    _ index: Int,
    _ database: OpaquePointer?,
    _ asset: UnsafeMutablePointer<OpaquePointer?>?
) -> kinfolk_status {
    attempt { () throws(KinfolkError) in
        let asset = try output(asset)
        let database = try database.map { database throws(KinfolkError) in try KinfolkC.database(database) }
        let value = try KinfolkC.value(value)
        guard value.type == .asset || value.type == .assetList else { throw KinfolkError.otherType }
        let assets = value.assets
        guard assets.indices.contains(index) else {
            throw KinfolkError(.unknownItem, "The value has no such element.")
        }
        asset.pointee = makeHandle(AssetHandle(assets[index], in: database))
    }
}
