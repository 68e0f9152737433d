import Glibc
import KinfolkStorage

/// A clock for limits: it goes on evenly whatever becomes of the system's date, and is the same in all processes.
///
/// It is the time since the machine started (`CLOCK_BOOTTIME`), which nobody can set, put forward to the date that the first
/// process saw after that start. So a date that jumps gains nobody a permit, and locks nobody out.
enum SteadyClock {
    static func start(for store: Store) throws -> @Sendable () -> Timestamp {
        let boot = bootID()
        let start = try store.read { db in try known(boot, db) } ?? store.write { db in try note(boot, db) }
        return { Timestamp(microseconds: start &+ sinceBoot) }
    }

    /// The date of the start, in microseconds, if it was noted for this start of the machine.
    private static func known(_ boot: [UInt8], _ db: Connection) throws -> Int64? {
        guard let value = try ServiceTable.value("boot", db), value.count == boot.count + 8, value.starts(with: boot)
        else {
            return nil
        }
        return value.suffix(8).reduce(0) { $0 << 8 | Int64($1) }
    }

    private static func note(_ boot: [UInt8], _ db: Connection) throws -> Int64 {
        if let known = try known(boot, db) { return known }
        let start = Timestamp.now.microseconds &- sinceBoot
        try ServiceTable.set("boot", boot + withUnsafeBytes(of: start.bigEndian, Array.init), db)
        return start
    }

    private static var sinceBoot: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Int64(time.tv_sec) &* 1_000_000 &+ Int64(time.tv_nsec) / 1_000
    }

    /// What tells this start of the machine from others; always as many bytes.
    private static func bootID() -> [UInt8] {
        var id = [UInt8](repeating: 0, count: 36)
        let file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return id }
        defer { close(file) }
        _ = id.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress, $0.count) }
        return id
    }
}
