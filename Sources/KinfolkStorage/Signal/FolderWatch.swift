import Glibc
import KinfolkFiles
import KinfolkThreads

/// Hears changes of a database file through inotify.
///
/// It watches the folder, because the log is deleted and created again, and the file may be replaced. A write to the log is not a
/// change yet: readers see it only after the log was synced and its index updated, which the file system does not report. So each
/// connection touches the log after a commit. Commits of other programs, which use SQLite without this library, are not heard.
final class FolderWatch: ChangeListener {
    private let folder: FilePath
    private let fileName: [UInt8]
    private let logName: [UInt8]
    private(set) var descriptor: Int32 = -1
    private(set) var nextStart = Deadline(in: 0)

    /// How many seconds after a failure the folder is watched again.
    private static let pause = 1.0

    /// The log is touched, or another file gets the name of the database.
    private static let events = UInt32(IN_ATTRIB | IN_MOVED_TO | IN_CREATE)
    /// The watch no longer shows what happens at the path.
    private static let endings = UInt32(IN_MOVE_SELF | IN_DELETE_SELF | IN_UNMOUNT | IN_IGNORED)

    /// - Parameter path: The path of the file itself, with links followed.
    init(_ path: FilePath) {
        folder = path.folder
        fileName = path.bytes.suffix(path.nameLength)
        logName = fileName + Array("-wal".utf8)
    }

    var isListening: Bool { descriptor >= 0 }

    func start() {
        stop()
        descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else { return }
        let events = FolderWatch.events | FolderWatch.endings | UInt32(IN_ONLYDIR)
        // Fails if the folder may not be read, or if the user has too many watches.
        guard inotify_add_watch(descriptor, folder.cString, events) >= 0 else { return stop() }
        nextStart = .never
    }

    private func stop() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
        nextStart = Deadline(in: FolderWatch.pause)
    }

    func close() {
        stop()
        nextStart = .never
    }

    func takeChanges() -> Bool {
        var hasChanged = false
        let size = 16 << 10
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: size,
            alignment: MemoryLayout<inotify_event>.alignment
        )
        defer { buffer.deallocate() }
        while isListening {
            let count = read(descriptor, buffer.baseAddress, size)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            if take(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { hasChanged = true }
        }
        return hasChanged
    }

    private func take(_ events: UnsafeRawBufferPointer) -> Bool {
        var hasChanged = false
        var rest = events[...]
        let headerLength = MemoryLayout<inotify_event>.size
        while rest.count >= headerLength {
            let event = UnsafeRawBufferPointer(rebasing: rest).loadUnaligned(as: inotify_event.self)
            let name = rest.dropFirst(headerLength).prefix(Int(event.len)).prefix { $0 != 0 }
            rest = rest.dropFirst(headerLength + Int(event.len))
            if event.mask & FolderWatch.endings != 0 {
                stop()
                return true
            }
            // The queue was full: something was not reported.
            if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { hasChanged = true }
            if isChange(event.mask, of: name) { hasChanged = true }
        }
        return hasChanged
    }

    private func isChange(_ mask: UInt32, of name: Slice<UnsafeRawBufferPointer>) -> Bool {
        if name.elementsEqual(logName) { return mask & UInt32(IN_ATTRIB) != 0 }
        return name.elementsEqual(fileName) && mask & UInt32(IN_MOVED_TO | IN_CREATE) != 0
    }
}
