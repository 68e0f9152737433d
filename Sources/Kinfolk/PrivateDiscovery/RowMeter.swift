/// Counts the rows that a request reads, and stops it when more would be read than the person has left.
final class RowMeter {
    private(set) var rows = 0
    private var allowed: Int

    /// - Parameter paid: How many are paid for already.
    init(paid: Int) { allowed = paid }

    /// Allows so many beyond what is paid for. They are paid for afterwards.
    func allow(_ more: Int) {
        let (sum, overflow) = allowed.addingReportingOverflow(max(0, more))
        allowed = overflow ? .max : sum
    }

    /// - Throws: ``KinfolkError/Code/requestRateLimited`` if they are too many. They stay counted.
    func count(_ more: Int) throws(KinfolkError) {
        rows += more
        guard rows > allowed else { return }
        throw KinfolkError(
            .requestRateLimited,
            "The buckets have more rows than the person may read now: ask for fewer.",
            retryAfter: 3_600
        )
    }
}
