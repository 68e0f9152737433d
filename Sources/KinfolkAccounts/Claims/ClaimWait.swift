package import KinfolkCore
import KinfolkCrypto
package import KinfolkStorage

/// How long an owner may refuse a claim: a setting of the store. Its row has an authentication code, because it decides who gets
/// an address.
package enum ClaimWait {
    package static let standard = 86_400.0
    package static let maximum = 30 * 86_400.0

    private static let name = "claim_wait"

    /// In seconds.
    package static func value(_ keys: KeyRing, _ db: Connection) throws -> Double {
        guard let value = try ServiceTable.value(name, db) else { return standard }
        let seconds = Double(bitPattern: value.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
        guard value.count == 8 + Tag.length, keys.isAuthentic(Array(value.suffix(Tag.length)), of: message(seconds))
        else {
            throw CryptoError.notAuthentic
        }
        return seconds
    }

    package static func set(_ seconds: Double, _ keys: KeyRing, _ db: Connection) throws {
        let code = keys.authenticationCode(of: message(seconds)).bytes
        try ServiceTable.set(name, withUnsafeBytes(of: seconds.bitPattern.bigEndian, Array.init) + code, db)
    }

    /// Authenticates the setting under the newest keys.
    package static func renew(_ keys: KeyRing, _ db: Connection) throws {
        guard try ServiceTable.value(name, db) != nil else { return }
        try set(value(keys, db), keys, db)
    }

    private static func message(_ seconds: Double) -> [UInt8] {
        Array("service claim_wait".utf8) + withUnsafeBytes(of: seconds.bitPattern.bigEndian, Array.init)
    }
}
