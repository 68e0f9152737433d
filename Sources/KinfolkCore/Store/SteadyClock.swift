import Glibc
import KinfolkCrypto
package import KinfolkModel
package import KinfolkStorage

/// A clock for limits. It runs evenly even if the system's date is changed, and is the same in all processes.
///
/// It is the time since the machine started (`CLOCK_BOOTTIME`), which nobody can set, plus the start date computed by the first
/// process after that start. So a jump of the date neither gives anyone permits nor locks anyone out. The store keeps the start
/// date with an authentication code, because a forged date would yield permits. A date that is not authentic is replaced, as
/// after a restart of the machine.
package enum SteadyClock {
    package static func start(for store: Store, _ keychain: Keychain) throws -> @Sendable () -> Timestamp {
        let boot = bootID()
        let start =
            try store.read { db in try known(boot, keychain.ring(db), db) }
            ?? (store.isReadOnly ? now() : store.write { db in try note(boot, keychain.ring(db), db) })
        return { Timestamp(microseconds: start &+ sinceBoot) }
    }

    /// Writes the authentication code of the date under the newest key.
    package static func renewCode(_ keys: KeyRing, _ db: Connection) throws {
        let boot = bootID()
        if let start = try known(boot, keys, db) { try set(start, keys, db) }
    }

    /// Whether the stored date of this start of the machine is authentic. True if there is none.
    package static func isAuthentic(_ keys: KeyRing, _ db: Connection) throws -> Bool {
        let boot = bootID()
        guard let value = try ServiceTable.value("boot", db), value.starts(with: boot) else { return true }
        return try known(boot, keys, db) != nil
    }

    /// The stored date of this start of the machine, in microseconds; nil if there is none.
    private static func known(_ boot: [UInt8], _ keys: KeyRing, _ db: Connection) throws -> Int64? {
        guard let value = try ServiceTable.value("boot", db), value.count == boot.count + 8 + Tag.length,
            value.starts(with: boot)
        else { return nil }
        let start = value.dropFirst(boot.count).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let known = Int64(bitPattern: start)
        return keys.isAuthentic(Array(value.suffix(Tag.length)), of: message(known, boot)) ? known : nil
    }

    private static func note(_ boot: [UInt8], _ keys: KeyRing, _ db: Connection) throws -> Int64 {
        if let known = try known(boot, keys, db) { return known }
        let start = now()
        try set(start, keys, db)
        return start
    }

    /// The date of this start of the machine, computed from the system's date.
    private static func now() -> Int64 { Timestamp.now.microseconds &- sinceBoot }

    /// Stores the date of this start of the machine.
    package static func set(_ start: Int64, _ keys: KeyRing, _ db: Connection) throws {
        let boot = bootID()
        let code = keys.authenticationCode(of: message(start, boot))
        try ServiceTable.set("boot", boot + withUnsafeBytes(of: start.bigEndian, Array.init) + code.bytes, db)
    }

    private static func message(_ start: Int64, _ boot: [UInt8]) -> [UInt8] {
        var encoding = RowEncoding("service_boot")
        encoding.append(boot)
        encoding.append(start)
        return encoding.bytes
    }

    private static var sinceBoot: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Int64(time.tv_sec) &* 1_000_000 &+ Int64(time.tv_nsec) / 1_000
    }

    /// Identifies this start of the machine; always of the same length.
    private static func bootID() -> [UInt8] {
        var id = [UInt8](repeating: 0, count: 36)
        let file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return id }
        defer { close(file) }
        _ = id.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress, $0.count) }
        return id
    }
}
