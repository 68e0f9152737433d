import KinfolkModel

extension QueryRange {
    /// A range of dates in microseconds; nil if it is empty.
    var times: ClosedRange<Int64>? {
        var (first, last) = (Int64.min, Int64.max)
        if let lower {
            guard let time = lower.value.microseconds, lower.isIncluded || time < .max else { return nil }
            first = lower.isIncluded ? time : time + 1
        }
        if let upper {
            guard let time = upper.value.microseconds, upper.isIncluded || time > .min else { return nil }
            last = upper.isIncluded ? time : time - 1
        }
        return first <= last ? first...last : nil
    }
}

extension OrderValue {
    /// The microseconds of a date; nil for a value of another length.
    var microseconds: Int64? {
        guard bytes.count == 8 else { return nil }
        return Int64(bitPattern: bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) } ^ 1 << 63)
    }
}
