import Glibc

/// The header of a database file that nobody has open.
enum SQLiteHeader {
    /// Sets the header to say that the file is written without a log: the versions for reading and writing are 1.
    ///
    /// - Parameter descriptor: The file, opened for writing.
    static func forbidLog(_ descriptor: Int32) -> Bool {
        let versions: [UInt8] = [1, 1]
        return versions.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, 2, off_t(SQLiteFile.versionOffset)) } == 2
    }
}
