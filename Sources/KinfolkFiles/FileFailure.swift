import Glibc

/// A call of the file system that failed.
package struct FileFailure: Error {
    /// The error number of the system.
    package let number: Int32

    package init(_ number: Int32) { self.number = number }
}
