import Glibc

/// The last error of the system, as text.
enum SystemError {
    static var text: String { text(errno) }

    static func text(_ number: Int32) -> String { String(cString: strerror(number)) }
}
