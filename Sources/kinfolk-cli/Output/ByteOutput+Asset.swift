import Kinfolk

extension ByteOutput {
    /// How many bytes are read at once.
    private static let pieceLength = 1 << 20

    /// Writes a part of a stored file, shows the progress, and returns how many bytes were written. Called by the `body` of
    /// ``write(_:)-(()->Result)``.
    ///
    /// - Parameter verb: What the progress bar begins with.
    func write(_ part: Range<Int>, of reader: AssetReader, _ verb: String) throws(KinfolkError) -> Int {
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: min(ByteOutput.pieceLength, max(part.count, 1)),
            alignment: 16
        )
        defer { buffer.deallocate() }
        var bar = bar(verb)
        defer { bar?.clear() }
        var done = 0
        while done < part.count {
            let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, part.count - done)])
            let count = try reader.read(at: part.lowerBound + done, into: piece)
            guard count > 0 else { break }
            try write(UnsafeRawBufferPointer(rebasing: piece[..<count]))
            done += count
            try bar?.show(
                share: done.share(of: part.count),
                done / 1_000_000,
                "MB",
                orStop: stopped("The fetch")
            )
        }
        return done
    }
}
