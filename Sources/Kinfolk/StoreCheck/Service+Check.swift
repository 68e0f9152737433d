import KinfolkStorage

extension Service {
    /// Checks the whole store as it is at one moment, while others use it: that the file is sound, that every sealed value opens, that
    /// every row that is authenticated is the one that was written, and that the directories hold the people who can be found, and
    /// nobody else.
    ///
    /// It reads each row, in bounded memory, and changes nothing. A store in a file is checked by SQLite too
    /// (`PRAGMA integrity_check`); the files of a server are the server's to check.
    ///
    /// - Parameter progress: Told now and then how many rows of how many were looked at, on the calling thread. What it throws
    ///   ends the check: see ``KinfolkError/cancelled``.
    /// - Returns: How much was checked, and what is wrong. That something is wrong is no error.
    /// - Throws: ``KinfolkError/Code/storeCorrupt`` if it cannot even be said what the keys are.
    public func check(
        progress: (_ rows: Int, _ total: Int) throws(KinfolkError) -> Void = { _, _ in }
    ) throws(KinfolkError) -> StoreCheck {
        do { return try StoreChecker.check(store, keychain, progress: progress) } catch { throw KinfolkError(error) }
    }
}
