import KinfolkFiles
package import KinfolkModel

extension CSVReader {
    /// Reads the rows of a file in pieces: UTF-8, UTF-16 or Windows-1252. The header is the first row.
    ///
    /// - Parameters:
    ///   - progress: Called after each piece with the number of bytes read so far, and with the total if it is known.
    ///   - body: Called with each row, which is valid only during the call. Reading ends if `body` throws.
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
