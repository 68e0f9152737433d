import KinfolkAccounts
import KinfolkCore
package import KinfolkFiles
public import KinfolkModel
import KinfolkStorage

/// Files of records. An asset is written first, and then named by a record, in the same zone.
extension Database {
    /// Begins to write a file to the store, a piece at a time. Nothing is stored before the first pieces.
    ///
    /// - Parameter zone: The zone of the records that will have the asset.
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if the name of the zone is malformed, or is that of a custom zone in a public
    ///   database.
    public func beginUpload(zone: String = RecordID.defaultZone) throws(KinfolkError) -> AssetUpload {
        try ZoneName.validate(zone)
        guard scope == .private || zone == RecordID.defaultZone else {
            throw KinfolkError(.invalidArgument, "Custom zones exist in private databases only.")
        }
        return try AssetUpload(to: self, zone: zone)
    }

    /// Begins to write the contents of a record in a reserved zone, which is made with the first pieces.
    package func beginUpload(to zone: ReservedZone) throws(KinfolkError) -> AssetUpload {
        try AssetUpload(to: self, zone: zone.name)
    }

    /// Writes a file of the disk to the store.
    ///
    /// ```swift
    /// try note.set("photo", to: .asset(database.upload(file: "photo.jpg")))
    /// note = try database.save(note)
    /// ```
    ///
    /// - Parameters:
    ///   - path: The path of a regular file.
    ///   - zone: The zone of the records that will have the asset.
    ///   - progress: Called with the number of bytes that were written, and of all bytes of the file. If it throws, the upload ends.
    /// - Returns: The asset. If no record names it within 24 hours, it is deleted.
    /// - Throws: What `AssetUpload.add(file:progress:)` throws.
    public func upload(
        file path: String,
        zone: String = RecordID.defaultZone,
        progress: (_ done: Int, _ total: Int) throws(KinfolkError) -> Void = { _, _ in }
    ) throws(KinfolkError) -> Asset {
        let upload = try beginUpload(zone: zone)
        try upload.add(file: path, progress: progress)
        return try upload.finish()
    }

    /// Writes bytes to the store as an asset.
    ///
    /// - Parameters:
    ///   - bytes: The content of the file.
    ///   - zone: The zone of the records that will have the asset.
    /// - Returns: The asset. If no record names it within 24 hours, it is deleted.
    /// - Throws: What `AssetUpload.write(_:)` throws.
    public func upload(_ bytes: [UInt8], zone: String = RecordID.defaultZone) throws(KinfolkError) -> Asset {
        let upload = try beginUpload(zone: zone)
        try upload.write(bytes)
        return try upload.finish()
    }

    /// Opens an asset for reading.
    ///
    /// - Throws: ``KinfolkError/Code/assetNotAvailable`` if there is no such asset in this database, or the session may read no record
    ///   that has it, ``KinfolkError/Code/notAuthenticated`` for a private database without an account in good standing.
    public func reader(of asset: Asset) throws(KinfolkError) -> AssetReader { try AssetReader(asset, in: self) }

    /// Writes an asset to a file of the disk. The file appears when it is complete; one with this name is replaced.
    ///
    /// - Parameters:
    ///   - path: The path of the file. There may be a regular file, but no folder, device or link.
    ///   - progress: Called with the number of bytes that were written, and of all bytes. If it throws, no file is made.
    /// - Throws: What `reader(of:)` throws, ``KinfolkError/Code/assetFileNotFound`` if the folder does not exist,
    ///   ``KinfolkError/Code/permissionFailure`` if it may not be written, ``KinfolkError/Code/invalidArgument`` for a folder, a device or
    ///   a link, ``KinfolkError/Code/storeCorrupt`` if the stored file is damaged.
    public func save(
        _ asset: Asset,
        to path: String,
        progress: (_ done: Int, _ total: Int) throws(KinfolkError) -> Void = { _, _ in }
    ) throws(KinfolkError) {
        try save(asset, to: FilePath(path), progress: progress)
    }

    /// Like the public call, for a path that may not be valid UTF-8.
    ///
    /// - Parameter folder: The folder of the file, whose path is then a name; nil for a path that may be anywhere.
    package func save(
        _ asset: Asset,
        to path: FilePath,
        in folder: OpenFolder? = nil,
        progress: (_ done: Int, _ total: Int) throws(KinfolkError) -> Void
    ) throws(KinfolkError) {
        let reader = try reader(of: asset)
        var done = 0
        try AssetFile.write(to: path, in: folder) { buffer throws(KinfolkError) in
            let count = try reader.read(at: done, into: buffer)
            done += count
            if count > 0 { try progress(done, asset.size) }
            return count
        }
    }
}
