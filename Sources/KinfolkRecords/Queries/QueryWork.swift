import KinfolkModel

/// Counts what a query reads, and ends a query that would read too much.
///
/// The limits do not depend on the plan of a reasonable query, because it does not come near them. They keep one call with many
/// conditions from occupying a processor for minutes.
package final class QueryWork {
    /// The most entries of indexes that a page or a count reads.
    package static let maximumEntries = 20_000_000
    /// The most bytes of records that conditions look at, each as often as conditions read it from one end to the other.
    package static let maximumBytes = 1_000_000_000

    package private(set) var entriesRead = 0
    private(set) var recordsOpened = 0
    private(set) var recordsDiscarded = 0
    private var bytesCompared = 0

    package init() {}

    /// - Throws: ``KinfolkError/Code/limitExceeded`` if there are too many.
    package func read(entries: Int) throws {
        entriesRead += entries
        guard entriesRead <= QueryWork.maximumEntries else {
            throw KinfolkError(
                .limitExceeded,
                "The query would read more than \(QueryWork.maximumEntries) entries of indexes: ask with fewer conditions."
            )
        }
    }

    /// Counting reads entries much faster.
    func count(entries: Int) { entriesRead += entries }

    func open(records: Int = 1) { recordsOpened += records }

    func discard() { recordsDiscarded += 1 }

    /// - Throws: ``KinfolkError/Code/limitExceeded`` if there are too many.
    package func compare(bytes: Int, scans: Int) throws {
        bytesCompared += bytes * scans
        guard bytesCompared <= QueryWork.maximumBytes else {
            throw KinfolkError(
                .limitExceeded,
                "The query would compare more than \(QueryWork.maximumBytes) bytes of records: ask with fewer conditions, "
                    + "or add one that an index answers."
            )
        }
    }
}
