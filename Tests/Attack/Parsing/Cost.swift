import Kinfolk

/// The cost of reading a text.
struct Cost {
    let name: String
    let secondsPerMegabyte: Double
    /// Nil if the build does not count steps.
    let stepsPerByte: Int?

    init(of name: String, _ length: Int, _ read: () throws -> Void) rethrows {
        self.name = name
        let time = ComputingTime()
        #if DEBUG
        // Opening a converter or a store costs the same for any length.
        stepsPerByte = try max(0, ReadingSteps.of(read) - 100_000) / max(length, 1)
        #else
        try read()
        stepsPerByte = nil
        #endif
        secondsPerMegabyte = time.seconds * 1_000_000 / Double(max(length, 1))
    }
}
