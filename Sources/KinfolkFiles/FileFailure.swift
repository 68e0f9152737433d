import Glibc

/// A call of the file system that failed.
package struct FileFailure: Error {
    /// The error number of the system, or ``inUseNumber``.
    package let number: Int32

    package init(_ number: Int32) { self.number = number }

    /// The number of a file of the caller that belongs to a store which this process has open (``FilesInUse``). The system has none for it.
    package static let inUseNumber: Int32 = -1

    static var inUse: FileFailure { FileFailure(inUseNumber) }
}
