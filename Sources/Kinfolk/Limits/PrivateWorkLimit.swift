/// How much work each person may cause a day by private discovery in a container.
///
/// It bounds what one account can cost the server, and is far more than what a person with several devices needs. A person
/// without a verified e-mail address has less: of the multiplications as large a part as of the permits, and a quarter of the rows.
public struct PrivateWorkLimit: Hashable, Sendable {
    /// How many multiplications of points, the most expensive step; nil for eight for each permit that a person may hold.
    public let multiplicationsPerDay: UInt64?
    /// How many rows of the directory may be read, whether or not they are sent, with one for each bucket asked for. A row that is
    /// sent has 48 bytes. Nil for 400 for each permit that a person may hold, but at least 8,000,000.
    public let rowsPerDay: UInt64?

    /// Both follow from the limit of permits.
    public static let standard = PrivateWorkLimit()

    /// A limit of its own for a container.
    ///
    /// - Parameters:
    ///   - multiplicationsPerDay: How many multiplications; nil for what follows from the permits.
    ///   - rowsPerDay: How many rows; nil for what follows from the permits.
    public init(multiplicationsPerDay: UInt64? = nil, rowsPerDay: UInt64? = nil) {
        self.multiplicationsPerDay = multiplicationsPerDay
        self.rowsPerDay = rowsPerDay
    }
}
