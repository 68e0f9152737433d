import TestSupport

/// A piece of a file: some of very many bytes, so that equal pieces have equal bytes.
struct ModelPiece {
    private static let source: [UInt8] = {
        var generator = SeededGenerator(seed: 1)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(3 << 20)
        while bytes.count < 3 << 20 { withUnsafeBytes(of: generator.next()) { bytes += $0 } }
        return bytes
    }()
    /// How many places there are at which a piece begins.
    static let starts = 1_000

    let start: Int
    /// At most 2,300,000.
    let count: Int

    var bytes: [UInt8] { Array(ModelPiece.source[start..<start + count]) }
}
