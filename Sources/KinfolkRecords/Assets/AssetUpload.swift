package import KinfolkAccounts
import KinfolkCore
import KinfolkCrypto
package import KinfolkFiles
public import KinfolkModel
import KinfolkStorage
import KinfolkThreads

/// A file that is being written to the store, a piece at a time. A record can name it when it is complete.
///
/// ```swift
/// let upload = try database.beginUpload()
/// while let piece = try source.next() { try upload.write(piece) }
/// try note.set("sound", to: .asset(upload.finish()))
/// ```
///
/// At most about 2 MB of it are in memory. After an error, it has ended: what was written is deleted, and its bytes no longer count.
/// An upload that is abandoned is deleted 24 hours after its last piece, and so is one that no record names.
public final class AssetUpload: Sendable {
    /// After how many seconds an asset is deleted that no record names.
    static let patience = 86_400.0
    /// How many chunks a transaction writes.
    private static let chunksAtOnce = 4

    private let database: Database
    private let zone: String
    private let state: Lock<State>
    /// Shared by all uploads: a thread for each would stay for some seconds after its upload.
    private static let workers = WorkerPool(limit: 4)

    private struct State {
        let id = RandomID.make()
        /// Nil before the first transaction.
        var number: Int64?
        /// Whether the outcome of the first transaction is unknown.
        var mayBeStored = false
        var content: AssetContent
        /// Less than a chunk, or one that may be the last.
        var rest: [UInt8] = []
        /// Sealed chunks that are not written yet.
        var sealed: [[UInt8]] = []
        /// How many chunks are written.
        var written = 0
        /// How many bytes its row must count.
        var bytes = 0
        /// When its row is deleted, if nothing more is written.
        var expiresAt = Timestamp(microseconds: .min)
        var size = 0
        var hasEnded = false
        var asset: Asset?

        var nextChunk: Int { written + sealed.count }
    }

    private let hash = Lock(SHA256())

    init(to database: Database, zone: String) throws(KinfolkError) {
        self.database = database
        self.zone = zone
        do {
            state = Lock(
                State(content: try AssetContent(creator: database.scope == .public ? database.session.recordID : nil))
            )
        } catch { throw KinfolkError(error) }
    }

    var service: Service { database.service }

    /// How many bytes were written.
    public var size: Int { state.withLock(\.size) }

    /// Adds bytes to the end of the file.
    ///
    /// - Throws: ``KinfolkError/Code/limitExceeded`` if the file is larger than an asset may be,
    ///   ``KinfolkError/Code/quotaExceeded`` if there is no room for it, ``KinfolkError/Code/zoneNotFound`` if there is no such zone,
    ///   ``KinfolkError/Code/permissionFailure`` if the grants of a deployed schema let the caller create or write no record with an asset
    ///   in the public database, ``KinfolkError/Code/assetNotAvailable`` if the upload has ended, ``KinfolkError/Code/notAuthenticated`` if the session has no
    ///   account in good standing.
    public func write(_ bytes: [UInt8]) throws(KinfolkError) {
        let result = bytes.withUnsafeBytes { bytes in Result { () throws(KinfolkError) in try write(bytes) } }
        try result.get()
    }

    /// Adds bytes to the end of the file: see `write(_:)`.
    public func write(_ bytes: UnsafeRawBufferPointer) throws(KinfolkError) {
        try running { state in
            let isHashed = hash(bytes)
            // The bytes belong to the caller.
            defer { _ = isHashed.withLock(when: { $0 }, until: .never) { _ in } }
            var rest = bytes[...]
            while !rest.isEmpty {
                // A chunk is sealed when more bytes follow: until then it may be the last one.
                if state.rest.count == ChunkKey.chunkLength {
                    let chunk = state.rest
                    state.rest.removeAll(keepingCapacity: true)
                    try chunk.withUnsafeBytes { try add($0, &state) }
                }
                if state.rest.isEmpty, rest.count > ChunkKey.chunkLength {
                    let room = (AssetUpload.chunksAtOnce - state.sealed.count) * ChunkKey.chunkLength
                    let count = min(room, (rest.count - 1) / ChunkKey.chunkLength * ChunkKey.chunkLength)
                    try add(UnsafeRawBufferPointer(rebasing: rest.prefix(count)), &state)
                    rest = rest.dropFirst(count)
                } else {
                    if state.rest.isEmpty { state.rest.reserveCapacity(ChunkKey.chunkLength) }
                    let count = min(rest.count, ChunkKey.chunkLength - state.rest.count)
                    state.rest += rest.prefix(count)
                    rest = rest.dropFirst(count)
                }
            }
            state.size += bytes.count
        }
    }

    /// Adds the content of a file.
    ///
    /// - Parameters:
    ///   - path: The path of a regular file.
    ///   - progress: Called with the number of bytes that were added, and of all bytes of the file. If it throws, the upload ends.
    /// - Throws: ``KinfolkError/Code/assetFileNotFound`` if there is no such file, ``KinfolkError/Code/permissionFailure`` if it may not
    ///   be read, ``KinfolkError/Code/invalidArgument`` if it is a folder, a device or another special file,
    ///   ``KinfolkError/Code/assetFileModified`` if it is changed meanwhile, and what `write(_:)` throws.
    public func add(
        file path: String,
        progress: (_ done: Int, _ total: Int) throws(KinfolkError) -> Void = { _, _ in }
    ) throws(KinfolkError) {
        try add(file: FilePath(path), progress: progress)
    }

    /// Like the public call, for a path that may not be valid UTF-8.
    package func add(
        file path: FilePath,
        progress: (_ done: Int, _ total: Int) throws(KinfolkError) -> Void
    ) throws(KinfolkError) {
        let file: AssetFile
        do { file = try AssetFile(reading: path) } catch {
            cancel()
            throw error
        }
        try add(file, progress: progress)
    }

    /// Adds the content of an open file.
    package func add(
        _ file: AssetFile,
        progress: (_ done: Int, _ total: Int) throws(KinfolkError) -> Void
    ) throws(KinfolkError) {
        do {
            // Before the first piece is written.
            try running { try requireRoom(for: file.size, $0) }
            try file.forEachPiece(ofLength: AssetUpload.chunksAtOnce * ChunkKey.chunkLength) {
                piece,
                done throws(KinfolkError) in
                try write(piece)
                try progress(done, file.size)
            }
        } catch {
            cancel()
            throw error
        }
    }

    /// Completes the file. When it returns, the file is on disk.
    ///
    /// - Returns: The asset, for fields of records of this database and zone. Each call returns the same one.
    /// - Throws: What `write(_:)` throws.
    public func finish() throws(KinfolkError) -> Asset { try finish(allowsReserved: false) }

    /// Like `finish()`, also for an upload to a reserved zone whose record is saved by a later call.
    package func finishApart() throws(KinfolkError) -> Asset { try finish(allowsReserved: true) }

    private func finish(allowsReserved: Bool) throws(KinfolkError) -> Asset {
        try running(allowsEnd: true) { state in
            if let asset = state.asset { return asset }
            guard !state.hasEnded else { throw AssetUpload.over }
            guard allowsReserved || !ReservedZone.isReserved(zone) else {
                throw KinfolkError(.invalidArgument, "The upload belongs to a document: create or save one with it.")
            }
            let asset = complete(&state)
            try flush(&state)
            end(&state, with: asset)
            return asset
        }
    }

    /// Completes the file in the same transaction as the change of a reserved zone that names the asset, with one wait for the disk.
    ///
    /// - Parameters:
    ///   - session: The session that has begun the upload.
    ///   - names: The names of records that `body` reads or writes. It inserts at most one.
    package func finish<Result>(
        for session: Session,
        savingTo reserved: ReservedZone,
        _ names: [String],
        _ body: (Asset, ReservedZoneTransaction) throws -> Result
    ) throws(KinfolkError) -> Result {
        guard zone == reserved.name, database.session === session else {
            throw KinfolkError(.invalidArgument, "The upload was begun for something else.")
        }
        return try running { state in
            let asset = complete(&state)
            let current = state
            let numbers = try service.recordNumbers.take(current.number == nil ? 1 : 0, of: service)
            do throws(KinfolkError) {
                let result = try session.write(
                    to: reserved,
                    names,
                    preparing: { place, db in
                        let quotas = try service.schemas.schema(of: place.container, service, db).quotas()
                        _ = try write(current, numbers, to: Destination(place: place, creator: nil, quotas: quotas), db)
                    },
                    { try body(asset, $0) }
                )
                end(&state, with: asset)
                return result
            } catch {
                state.mayBeStored = error.isInDoubt
                throw error
            }
        }
    }

    /// Ends the upload and deletes what was written. Does nothing if it is complete.
    public func cancel() {
        state.withLock { state in
            guard !state.hasEnded else { return }
            state.hasEnded = true
            (state.rest, state.sealed) = ([], [])
            guard state.number != nil || state.mayBeStored else { return }
            // If this fails, the upload is deleted after its time.
            try? delete(state.id)
        }
    }

    // MARK: Chunks

    /// Seals the last chunk.
    private func complete(_ state: inout State) -> Asset {
        let digest = hash.withLock { $0.finish() }
        let chunk = state.nextChunk
        state.sealed.append(state.rest.withUnsafeBytes { state.content.key.seal($0, number: chunk, isLast: true) })
        state.content.file = (state.size, digest)
        return Asset(id: state.id, zone: zone, size: state.size, sha256: digest)
    }

    private func end(_ state: inout State, with asset: Asset) {
        (state.rest, state.sealed) = ([], [])
        state.hasEnded = true
        state.asset = asset
    }

    private static var lost: KinfolkError {
        KinfolkError(.serviceUnavailable, "A part of the upload is no longer in the store. Upload the file again.")
    }
    private static var over: KinfolkError { KinfolkError(.assetNotAvailable, "The upload has ended.") }

    private func running<Result>(
        allowsEnd: Bool = false,
        _ body: (inout State) throws -> Result
    ) throws(KinfolkError) -> Result {
        let result = state.withLock { state in
            Swift.Result { () throws -> Result in
                guard allowsEnd || !state.hasEnded else { throw AssetUpload.over }
                return try body(&state)
            }
        }
        do { return try result.get() } catch {
            cancel()
            throw KinfolkError(error)
        }
    }

    /// The least number of bytes that are hashed on another thread.
    private static let leastInParallel = 32 << 10

    /// Hashes bytes, on another thread if they are many, and sets the result to true afterwards.
    private func hash(_ bytes: UnsafeRawBufferPointer) -> Lock<Bool> {
        let job = HashJob(bytes: bytes, hash: hash, isDone: Lock(false))
        if bytes.count < AssetUpload.leastInParallel { job.run() } else { AssetUpload.workers.run { job.run() } }
        return job.isDone
    }

    /// Seals chunks that are not the last ones, and writes them if they are enough for a transaction.
    private func add(_ chunks: UnsafeRawBufferPointer, _ state: inout State) throws {
        for start in stride(from: 0, to: chunks.count, by: ChunkKey.chunkLength) {
            let chunk = UnsafeRawBufferPointer(rebasing: chunks[start..<start + ChunkKey.chunkLength])
            state.sealed.append(state.content.key.seal(chunk, number: state.nextChunk, isLast: false))
        }
        if state.sealed.count >= AssetUpload.chunksAtOnce { try flush(&state) }
    }

    /// Bytes that are hashed while the caller's thread seals and writes them.
    private struct HashJob: @unchecked Sendable {
        let bytes: UnsafeRawBufferPointer
        let hash: Lock<SHA256>
        let isDone: Lock<Bool>

        func run() {
            hash.withLock { $0.update(bytes) }
            isDone.withLock { $0 = true }
        }
    }

    /// Writes the sealed chunks. Only the last ones must be on disk when this returns: they are after the others in the log.
    private func flush(_ state: inout State) throws {
        let current = state
        let numbers = try service.recordNumbers.take(current.number == nil ? 1 : 0, of: service)
        let number: Int64
        do throws(KinfolkError) {
            number = try AssetExpiry.makingRoom(service) { () throws(KinfolkError) in
                try service.write(isDurable: current.content.file != nil) { db in
                    try write(current, numbers, to: destination(isWriting: true, db), db)
                }
            }
        } catch {
            state.mayBeStored = error.isInDoubt
            throw error
        }
        state.bytes += added(by: state)
        state.expiresAt = service.steadyClock().adding(seconds: AssetUpload.patience)
        state.number = number
        state.written += state.sealed.count
        state.sealed = []
    }

    /// Where an upload is stored, and what limits it.
    private struct Destination {
        let place: RecordPlace
        /// Nil in a private database.
        let creator: UserRecordID?
        let quotas: Quotas
    }

    /// - Parameter isWriting: Whether a reserved zone is made if it does not exist.
    private func destination(isWriting: Bool, _ db: Connection) throws -> Destination {
        let user = try database.session.userInGoodStanding(db)
        let reserved = ReservedZone.all.first { $0.name == zone }
        let transaction =
            if isWriting, let reserved { try database.session.ensured(reserved, db) } else {
                try RecordTransaction(reading: database.session, database.scope, db)
            }
        guard let place = try transaction.place(ofZone: zone) ?? (reserved == nil ? nil : transaction.place) else {
            throw RecordTransaction.noZone
        }
        let schema = try service.schemas.schema(of: place.container, service, db)
        let mayUpload =
            try database.scope == .private
            || RecordAccess(user, schema).mayUpload { type in
                try RecordTable.exists(createdBy: user.record, ofType: type.number, in: place, db)
            }
        guard mayUpload else { throw RecordAccess.refusal }
        return Destination(
            place: place,
            creator: database.scope == .public ? user.record : nil,
            quotas: try schema.quotas()
        )
    }

    /// Throws if there is no room for a file of this size, which would be known only after a part of it is written.
    private func requireRoom(for more: Int, _ state: State) throws {
        let (size, isTooLarge) = state.size.addingReportingOverflow(more)
        try AssetExpiry.makingRoom(service) { () throws(KinfolkError) in
            try service.read { db in
                let destination = try destination(isWriting: false, db)
                try requireSize(isTooLarge ? .max : size, limit: min(destination.quotas[.asset] ?? .max, 1 << 60))
                let bytes = ChunkKey.sealedLength(ofSize: size) + AssetTable.sealedLength(state.content) - state.bytes
                var (new, none) = (ByteChanges(), ByteChanges())
                new.add(
                    from: (0, nil),
                    to: (bytes, destination.creator),
                    lane: service.lane,
                    in: destination.place
                )
                var check = QuotaCheck(destination.quotas, service, db)
                try check.require(new, after: &none)
            }
        }
    }

    private func write(
        _ state: State,
        _ numbers: LeasedNumbers,
        to destination: Destination,
        _ db: Connection
    ) throws -> Int64 {
        let (place, creator, quotas) = (destination.place, destination.creator, destination.quotas)
        try requireSize(state.written * ChunkKey.chunkLength + size(of: state), limit: quotas[.asset])
        if state.number != nil {
            // A server that crashed, or whose standby took over, may have lost pieces, for which no call waited, and the row with them.
            guard let row = try AssetTable.row(state.id, in: place, db) else {
                throw service.steadyClock() < state.expiresAt ? AssetUpload.lost : AssetUpload.over
            }
            guard !row.isNamed else { throw AssetUpload.over }
            guard row.bytes == state.bytes else { throw AssetUpload.lost }
        }
        var chunkBytes = state.sealed.reduce(0) { $0 + $1.count }
        let added = added(by: state)
        var (new, bytes) = (ByteChanges(), ByteChanges())
        new.add(from: (0, nil), to: (added, creator), lane: service.lane, in: place)
        var check = QuotaCheck(quotas, service, db)
        try check.require(new, after: &bytes)
        bytes.add(from: (0, nil), to: (added, creator), lane: service.lane, in: place)
        let expiresAt = service.steadyClock().adding(seconds: AssetUpload.patience)
        let number: Int64
        if let known = state.number {
            number = known
        } else {
            guard let new = try service.recordNumbers.numbers(numbers, of: service, db).first else {
                throw KinfolkError(.internalError, "No number was left for an asset.")
            }
            number = new
            let row = AssetRow(id: state.id, number: new, expiresAt: expiresAt, bytes: added, content: state.content)
            try AssetTable.insert(row, in: place, db)
            chunkBytes = 0
        }
        try AssetChunkTable.insert(state.sealed, from: state.written, of: number, in: place.container, db)
        if chunkBytes > 0 { try AssetTable.add(chunkBytes, to: state.id, expiresAt: expiresAt, in: place, db) }
        if state.content.file != nil, state.number != nil {
            try AssetTable.update(state.content, of: state.id, in: place, db)
        }
        try ByteCountTable.add(bytes, db)
        return number
    }

    /// How many bytes a transaction adds to the store.
    private func added(by state: State) -> Int {
        state.sealed.reduce(0) { $0 + $1.count } + (state.number == nil ? AssetTable.sealedLength(state.content) : 0)
    }

    /// How many bytes the chunks have that are not written yet.
    private func size(of state: State) -> Int {
        state.content.file.map { $0.size - state.written * ChunkKey.chunkLength }
            ?? state.sealed.count * ChunkKey.chunkLength
    }

    private func requireSize(_ size: Int, limit: Int?) throws {
        guard size <= limit ?? .max else {
            throw KinfolkError(.limitExceeded, "An asset of this container has at most \(limit ?? .max) bytes.")
        }
    }

    /// The zone of the upload, also if the account was suspended: then the upload must be deleted all the same. Nil if it was deleted.
    private func place(_ db: Connection) throws -> RecordPlace? {
        let container = database.session.container
        try container.requireInUse(db)
        let owner = database.scope == .private ? database.session.recordID : nil
        let home = RecordPlace(
            ofPrivate: owner,
            in: container.number,
            try service.keys(ofContainer: container.number, in: db)
        )
        return zone == RecordID.defaultZone ? home : try ZoneTable.place(named: zone, in: home, db)
    }

    private func delete(_ id: RandomID) throws {
        try service.store.write { db in
            guard let place = try place(db), let row = try AssetTable.row(id, in: place, db), !row.isNamed else {
                return
            }
            var bytes = ByteChanges()
            try AssetTable.delete(row, in: place, db)
            bytes.add(from: (row.bytes, row.content.countedCreator), to: (0, nil), lane: service.lane, in: place)
            try ByteCountTable.add(bytes, db)
        }
        service.sweeper.start(service)
    }
}
