import KinfolkCore
import KinfolkModel
import KinfolkStorage

extension Service {
    /// Checks the whole store as it is at one moment, while it is in use: that the file is intact, that each value has the type of
    /// its column, that every sealed value can be opened, that no authenticated row was changed, that no row belongs to something
    /// that is gone, and that the directories hold exactly the people who can be found.
    ///
    /// It reads each table, in bounded memory, and changes nothing. Values that are neither sealed nor authenticated, such as
    /// dates and the counts of activity, are checked for their types only. SQLite also checks a store in a file (`PRAGMA
    /// integrity_check`); the files and the types of a server are for the server to check.
    ///
    /// ```swift
    /// let check = try service.check()
    /// if !check.isSound {
    ///     for finding in check.findings { print("\(finding.table): \(finding.kind), \(finding.times) times") }
    /// }
    /// ```
    ///
    /// - Parameter progress: Called from time to time with the numbers of rows checked and in total, on the calling thread. If it
    ///   throws, the check ends: see ``KinfolkError/cancelled``.
    /// - Returns: How much was checked, and what is wrong. Findings are returned, not thrown.
    /// - Throws: ``KinfolkError/Code/storeCorrupt`` if the damage prevents even the keys from being read.
    public func check(
        progress: (_ rows: Int, _ total: Int) throws(KinfolkError) -> Void = { _, _ in }
    ) throws(KinfolkError) -> StoreCheck {
        do { return try StoreChecker.check(store, keychain, progress: progress) } catch { throw KinfolkError(error) }
    }
}
