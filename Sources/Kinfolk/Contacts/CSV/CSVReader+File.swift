import KinfolkStorage

extension CSVReader {
    /// Reads the rows of a file, UTF-8, UTF-16 or Windows-1252, in pieces: the header is the first of them.
    ///
    /// - Parameters:
    ///   - progress: Is told after each piece how many bytes have been read, and of how many if that is known.
    ///   - body: Takes a row, which is lent for the time of the call; reading ends when it throws.
    /// - Throws: `unknownItem` if there is no such file, `permissionFailure` if it may not be read, and what `body` throws.
    package static func read(
        contentsOfFile path: String,
        progress: (_ bytesRead: Int, _ byteCount: Int?) -> Void = { _, _ in },
        _ body: (CSVRow) throws(KinfolkError) -> Void
    ) throws(KinfolkError) {
        let file = try InputFile(path: FilePath(path))
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: InputFile.pieceByteCount, alignment: 16)
        defer { buffer.deallocate() }
        var decoder = TextDecoder()
        var table = CSVReader()
        var bytesRead = 0
        while true {
            let filled = try file.read(into: buffer)
            let bytes = UnsafeRawBufferPointer(buffer).assumingMemoryBound(to: UInt8.self)
            try decoder.push(bytes.span.extracting(first: filled)) { text throws(KinfolkError) in
                try table.push(text, body)
            }
            bytesRead += filled
            progress(bytesRead, file.byteCount)
            if filled < buffer.count { break }
        }
        try decoder.finish { text throws(KinfolkError) in try table.push(text, body) }
        try table.finish(body)
    }
}
