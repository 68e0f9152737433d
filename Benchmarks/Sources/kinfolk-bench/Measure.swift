/// The median time of several runs, in seconds. The first run warms up and is not counted.
func medianTime(runs: Int = 11, _ body: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    try body()
    var times: [Double] = []
    for _ in 0..<runs {
        let duration = try clock.measure(body)
        times.append(Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18)
    }
    times.sort()
    return times[times.count / 2]
}

/// The time of one run, for what cannot be done twice.
func time(_ body: () throws -> Void) rethrows -> Double {
    let duration = try ContinuousClock().measure(body)
    return Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
}
