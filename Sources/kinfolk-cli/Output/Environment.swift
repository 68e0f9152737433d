import Glibc
import KinfolkFiles
import KinfolkStorage

/// The environment of the process.
enum Environment {
    static subscript(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// A path in the environment, of any bytes; nil if it is missing or empty.
    static func path(_ name: String) -> FilePath? {
        getenv(name).map { FilePath(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
