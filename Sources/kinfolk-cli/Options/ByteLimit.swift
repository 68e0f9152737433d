import ArgumentParser

/// A limit of bytes on the command line: a number, perhaps with a unit in powers of 1000, or `none`.
struct ByteLimit: ExpressibleByArgument {
    /// How to write it, for help pages.
    static let manual =
        "SIZE is a number of bytes: 500000, 500KB, 250MB, 2GB or 1TB, in powers of 1000. none is no limit."

    private static let units = [("TB", 1_000_000_000_000), ("GB", 1_000_000_000), ("MB", 1_000_000), ("KB", 1_000)]

    /// Nil for no limit.
    let bytes: Int?

    init(_ bytes: Int?) { self.bytes = bytes }

    init?(argument: String) {
        guard argument != "none" else {
            bytes = nil
            return
        }
        let text = argument.uppercased()
        let unit = ByteLimit.units.first { text.hasSuffix($0.0) }
        let digits = text.dropLast(unit == nil ? 0 : 2)
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits) else { return nil }
        let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: unit?.1 ?? 1)
        guard !isTooLarge else { return nil }
        self.bytes = bytes
    }

    /// In the form that is read, in the largest unit of which it is a whole number.
    var text: String {
        guard let bytes else { return "none" }
        guard bytes > 0, let (unit, factor) = ByteLimit.units.first(where: { bytes.isMultiple(of: $0.1) }) else {
            return "\(bytes)"
        }
        return "\(bytes / factor)\(unit)"
    }
}
