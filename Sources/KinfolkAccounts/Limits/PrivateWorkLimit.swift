/// How much work each person may cause per day by private discovery in a container.
///
/// It bounds what one account can cost the server, and is far more than a person with several devices needs. A person without a
/// verified e-mail address has less: a quarter of the rows, and a share of the multiplications that equals the person's share of
/// the permits.
public struct PrivateWorkLimit: Hashable, Sendable {
    /// The number of multiplications of points, the most expensive step; nil for eight for each permit that a person may hold.
    public let multiplicationsPerDay: UInt64?
    /// The number of rows of the directory that may be read, sent or not, plus one for each bucket requested. A row that is sent
    /// has 48 bytes. Nil for 400 for each permit that a person may hold, but at least 8,000,000.
    public let rowsPerDay: UInt64?

    /// Both numbers are derived from the limit of permits.
    public static let standard = PrivateWorkLimit()

    /// Creates a limit for a container.
    ///
    /// - Parameters:
    ///   - multiplicationsPerDay: The number of multiplications; nil to derive it from the permits.
    ///   - rowsPerDay: The number of rows; nil to derive it from the permits.
    public init(multiplicationsPerDay: UInt64? = nil, rowsPerDay: UInt64? = nil) {
        self.multiplicationsPerDay = multiplicationsPerDay
        self.rowsPerDay = rowsPerDay
    }
}
