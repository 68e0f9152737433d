import Glibc

/// The environment of the process.
enum Environment {
    static subscript(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
