package import KinfolkModel

/// Counts the rows that a request reads, and stops the request before it reads more than the person has left.
package final class RowMeter {
    package private(set) var rows = 0
    private var allowed: Int

    /// - Parameter paid: The number of rows that are already paid for.
    package init(paid: Int) { allowed = paid }

    /// Allows more rows than are already paid for. They are charged afterwards.
    package func allow(_ more: Int) {
        let (sum, overflow) = allowed.addingReportingOverflow(max(0, more))
        allowed = overflow ? .max : sum
    }

    /// - Throws: ``KinfolkError/Code/requestRateLimited`` if there are too many rows. They are still counted.
    package func count(_ more: Int) throws(KinfolkError) {
        rows += more
        guard rows > allowed else { return }
        throw KinfolkError(
            .requestRateLimited,
            "The buckets have more rows than the person may read now: ask for fewer.",
            retryAfter: 3_600
        )
    }
}
