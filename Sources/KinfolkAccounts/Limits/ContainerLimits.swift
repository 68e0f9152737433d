/// The limits that a container's operator has set.
package struct ContainerLimits: Equatable {
    package static let standard = ContainerLimits(permits: .standard, work: .standard, fields: 50, quotas: .standard)

    package var permits: PermitLimit
    package var work: PrivateWorkLimit
    /// How many fields a person may add to the schema.
    package var fields: UInt32
    package var quotas: Quotas

    /// The limit of one person for a kind.
    package func limit(_ kind: LimitKind, isVerified: Bool) -> Limit {
        let permits = Int64(isVerified ? self.permits.capacity : self.permits.unverifiedCapacity)
        switch kind {
        case .permits: return Limit(ceiling: permits, perHour: ContainerLimits.millionths(self.permits.perHour))
        case .multiplications:
            guard let given = work.multiplicationsPerDay else { return Limit(perDay: 8 * permits) }
            return Limit(perDay: part(of: given, permits))
        case .rows:
            // An answer of 64 MiB has 1,398,101 rows: this lets every person get one such answer a day.
            let rows = work.rowsPerDay.map(Int64.init(clamping:)) ?? max(400 * Int64(self.permits.capacity), 8_000_000)
            return Limit(perDay: isVerified ? rows : rows / 4)
        case .fields: return Limit(ceiling: Int64(fields), perHour: 0)
        }
    }

    /// A share of a daily number, in the proportion of `permits` to the capacity of permits, rounded up.
    private func part(of perDay: UInt64, _ permits: Int64) -> Int64 {
        let capacity = UInt64(max(self.permits.capacity, 1))
        let product = perDay.multipliedFullWidth(by: UInt64(clamping: permits))
        // The result is never larger than the whole.
        guard product.high < capacity else { return Int64(clamping: perDay) }
        let (quotient, remainder) = capacity.dividingFullWidth(product)
        return Int64(clamping: remainder > 0 && quotient < .max ? quotient + 1 : quotient)
    }

    /// Converts a rate to millionths per hour. A negative rate, or one that is not a number, becomes 0.
    package static func millionths(_ rate: Double) -> Int64 {
        guard rate > 0 else { return 0 }
        return Int64(min((rate * Double(Limit.unit)).rounded(), 1e18))
    }
}
