import CSQLite
import KinfolkThreads

/// The write-ahead log of one connection: when it is taken into the file of the database.
///
/// It may grow to a quarter of the file, and to 256 KiB at least and 64 MiB at most. So a small store does not need many times
/// the room of its content, and a large one seldom writes a page to its file twice. Once the log is in the file, the next write
/// begins it again, and cuts off what is longer than that.
final class WriteAheadLog {
    private static let least = 256 << 10
    private static let most = 64 << 20
    /// What the log has for each page beside the page itself.
    private static let frameHeader = 24

    private let handle: OpaquePointer
    private let pageSize: Int
    /// How many pages the log has, if this connection has committed since it was last looked at.
    private var pages: Int32?
    /// How long it may get before the next attempt: while somebody reads an older state, more cannot be taken into the file.
    private var due = 0
    private var lastSize = 0
    private var keptSize = 0

    /// The connection must not outlive this object.
    init(of handle: OpaquePointer, pageSize: Int) {
        self.handle = handle
        self.pageSize = pageSize
        // It takes the place of SQLite's own rule, which knows one length for all files.
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

    /// How long the log of a file of this size may get.
    static func limit(fileSize: Int) -> Int { min(max(fileSize / 4, least), most) }

    /// After a commit: takes the log into the file if it is long. What cannot be done now is done after a later commit.
    func keepShort(patience: Patience) {
        guard let pages else { return }
        self.pages = nil
        let size = Int(pages) * (pageSize + WriteAheadLog.frameHeader)
        // Others may have taken it into the file meanwhile.
        if size < lastSize { due = 0 }
        lastSize = size
        guard size >= WriteAheadLog.least, size >= due else { return }
        let limit = WriteAheadLog.limit(fileSize: fileSize)
        guard size >= limit else { return }
        keep(limit)
        // Readers that follow each other closely never leave the log alone by themselves. They are waited for, a moment.
        let isStuck = size >= 4 * limit
        patience.start(until: Deadline(in: isStuck ? 0.05 : 0))
        let mode = isStuck ? SQLITE_CHECKPOINT_RESTART : SQLITE_CHECKPOINT_PASSIVE
        var (all, done): (Int32, Int32) = (0, 0)
        let code = sqlite3_wal_checkpoint_v2(handle, nil, mode, &all, &done)
        due = code == SQLITE_OK && all == done ? 0 : size + limit
    }

    private var fileSize: Int {
        var size: sqlite3_int64 = 0
        return kinfolk_sqlite_file_size(handle, &size) == SQLITE_OK ? Int(size) : 0
    }

    /// How long the log's file stays when it begins again. It is cut off no shorter than what it may grow to.
    private func keep(_ limit: Int) {
        guard limit != keptSize else { return }
        keptSize = limit
        sqlite3_exec(handle, "PRAGMA journal_size_limit = \(limit)", nil, nil, nil)
    }
}
