import Kinfolk
import KinfolkCrypto
import KinfolkStorage

/// What a thief without the key tries as one.
enum StoredKeys {
    /// Each 32 bytes of what the store holds as a key, and the keys for tags that would be derived from them.
    static func all(_ service: Service) throws -> [TagKey] {
        let values = try service.read { db in
            try db.all("SELECT value FROM service") { $0.bytes(0) }
                + db.all("SELECT sealed_key FROM root_keys") { $0.bytes(0) }
                + db.all("SELECT sealed_keys FROM lasting_keys") { $0.bytes(0) }
                + db.all("SELECT sealed_key FROM container_keys") { $0.bytes(0) }
        }
        let length = SecretKey.length
        let keys = try values.filter { $0.count >= length }.flatMap { value in
            try (0...value.count - length).map { start in
                try value[start..<start + length].withUnsafeBytes { try SecretKey(copying: $0) }
            }
        }
        return try keys.flatMap { [TagKey($0), TagKey(try $0.derive("kinfreco"))] }
    }
}
