import CSQLite
import KinfolkThreads

/// The write-ahead log of one connection: decides when it is copied into the database file (checkpoint).
///
/// The log may grow to a quarter of the file, but to at least 256 KiB and at most 64 MiB. So a small store does not take many
/// times the space of its content, and a large one seldom writes a page to its file twice. After a checkpoint, the next write
/// starts the log again from its beginning and truncates what is longer than the limit.
final class WriteAheadLog {
    private static let least = 256 << 10
    private static let most = 64 << 20
    /// The bytes in the log for each page, in addition to the page.
    private static let frameHeader = 24

    private let handle: OpaquePointer
    private let pageSize: Int
    /// The number of pages in the log, if this connection has committed since the last check; nil otherwise.
    private var pages: Int32?
    /// The size of the log at which the next checkpoint is attempted. It is larger after a checkpoint that could not copy everything
    /// because a reader still used an older state.
    private var due = 0
    private var lastSize = 0
    private var keptSize = 0

    /// The connection must not outlive this object.
    init(of handle: OpaquePointer, pageSize: Int) {
        self.handle = handle
        self.pageSize = pageSize
        // Replaces SQLite's own rule, which has one length for all files.
        sqlite3_wal_hook(
            handle,
            { context, _, _, pages in
                guard let context else { return SQLITE_OK }
                Unmanaged<WriteAheadLog>.fromOpaque(context).takeUnretainedValue().pages = pages
                return SQLITE_OK
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    /// The maximum size of the log for a file of this size.
    static func limit(fileSize: Int) -> Int { min(max(fileSize / 4, least), most) }

    /// Whether this connection has committed to the log since the last check.
    var hasGrown: Bool { pages != nil }

    /// Called after a commit: checkpoints the log if it is long. What cannot be copied now is copied after a later commit.
    func keepShort(patience: Patience) {
        guard let pages else { return }
        self.pages = nil
        let size = Int(pages) * (pageSize + WriteAheadLog.frameHeader)
        // Another connection may have checkpointed the log meanwhile.
        if size < lastSize { due = 0 }
        lastSize = size
        guard size >= WriteAheadLog.least, size >= due else { return }
        let limit = WriteAheadLog.limit(fileSize: fileSize)
        guard size >= limit else { return }
        keep(limit)
        // If readers overlap all the time, the log is never free to be restarted. So this waits for them, briefly.
        let isStuck = size >= 4 * limit
        patience.start(until: Deadline(in: isStuck ? 0.05 : 0))
        let mode = isStuck ? SQLITE_CHECKPOINT_RESTART : SQLITE_CHECKPOINT_PASSIVE
        var (all, done): (Int32, Int32) = (0, 0)
        let code = sqlite3_wal_checkpoint_v2(handle, nil, mode, &all, &done)
        due = code == SQLITE_OK && all == done ? 0 : size + limit
    }

    private var fileSize: Int { (try? SQLiteFile(of: handle)?.length()) ?? 0 }

    /// Sets the size to which the log's file is truncated when it starts again: the size to which it may grow.
    private func keep(_ limit: Int) {
        guard limit != keptSize else { return }
        keptSize = limit
        sqlite3_exec(handle, "PRAGMA journal_size_limit = \(limit)", nil, nil, nil)
    }
}
