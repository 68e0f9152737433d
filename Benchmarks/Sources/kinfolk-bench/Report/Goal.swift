/// The value that a figure must reach.
enum Goal {
    case ratioAtMost(Double)
    case ratioAtLeast(Double)
    case atMost(Double)
    case atLeast(Double)
}

extension Goal {
    func isMet(by row: Row) -> Bool? {
        switch self {
        case .ratioAtMost(let limit): row.ratio.map { $0 <= limit }
        case .ratioAtLeast(let limit): row.ratio.map { $0 >= limit }
        case .atMost(let limit): row.value <= limit
        case .atLeast(let limit): row.value >= limit
        }
    }

    func text(_ unit: Unit) -> String {
        switch self {
        case .ratioAtMost(let limit): "≤ \(Unit.times.text(limit))"
        case .ratioAtLeast(let limit): "≥ \(Unit.times.text(limit))"
        case .atMost(let limit): "≤ \(unit.text(limit))"
        case .atLeast(let limit): "≥ \(unit.text(limit))"
        }
    }
}
