import Glibc
import Kinfolk
import KinfolkFiles
import KinfolkStorage

/// What to do when a store does not open.
struct OpeningFailure {
    private let path: FilePath
    private let key: KeyOptions
    private let isReadOnly: Bool
    private let otherwise: String

    /// - Parameter otherwise: How to name another store.
    init(_ path: FilePath, _ key: KeyOptions, isReadOnly: Bool, otherwise: String) {
        self.path = path
        self.key = key
        self.isReadOnly = isReadOnly
        self.otherwise = otherwise
    }

    /// The error, with what to do in its reason.
    func advised(_ error: KinfolkError) -> KinfolkError {
        let shown = StoreFile.shown(path)
        switch error.code {
        case .keyMismatch: return key.advised(error, forStore: path)
        case .storeCorrupt where error.reason.contains("not a Kinfolk store"):
            return error.advising("It was looked for in \(shown): give another store \(otherwise).")
        // The library names no command that needs a store that opens.
        case .storeCorrupt where error.isOfDamage:
            return error.saying("\(error.damage) Put a backup in its place: kinfolk restore FILE --store \(shown)")
        case .permissionFailure where !StoreFile.isServer(path): return advisedOfPermission(error)
        case .serviceUnavailable where error.isOfFullDisk && !isReadOnly:
            return error.advising("--read-only still reads the store.")
        default: return error
        }
    }

    private func advisedOfPermission(_ error: KinfolkError) -> KinfolkError {
        if isReadOnly && error.reason.contains("for writing once") {
            return error.advising("Every command without --read-only does so.")
        }
        let advice = "\"ls -la\" in its folder shows who may use \(StoreFile.shown(path)), its key and the folder."
        let canRead = !isReadOnly && access(path.cString, R_OK) == 0
        return error.advising(canRead ? "\(advice) --read-only reads the store as it is." : advice)
    }
}
