package import KinfolkFiles
public import KinfolkModel

extension ContactBook {
    /// Adds the contacts of a file: vCard, jCard, LDIF, a table, or a list of addresses or contact hashes. The format is detected
    /// from the content.
    ///
    /// A file is a list if nearly all of its lines are addresses or hashes; the other lines are skipped and reported. The file is
    /// read in pieces, so it may be of any length, and may be a pipe.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - progress: Called after each piece with the number of bytes read so far, and with the total if it is known.
    /// - Throws: `unknownItem` if there is no such file; `permissionFailure` if it may not be read; `invalidArgument` if its
    ///   format is not supported, with a reason that says what it is and what to export instead, if that is known;
    ///   `limitExceeded` if the book is full. In all these cases nothing is added.
    @discardableResult
    public mutating func add(
        contentsOfFile path: String,
        progress: (_ bytesRead: Int, _ byteCount: Int?) -> Void = { _, _ in }
    ) throws(KinfolkError) -> ContactImport {
        try add(contentsOfFile: FilePath(path), progress: progress)
    }

    /// Like the public call, for a path that may not be valid UTF-8.
    package mutating func add(
        contentsOfFile path: FilePath,
        progress: (_ bytesRead: Int, _ byteCount: Int?) -> Void = { _, _ in }
    ) throws(KinfolkError) -> ContactImport {
        let file = try InputFile(path: path)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: InputFile.pieceByteCount, alignment: 16)
        defer { buffer.deallocate() }
        let filled = try file.read(into: buffer)
        let bytes = UnsafeRawBufferPointer(buffer).assumingMemoryBound(to: UInt8.self)

        let sample = bytes.span.extracting(first: min(filled, ContactFormat.sampleByteCount))
        let format = ContactFormat(detecting: sample, isAll: filled <= ContactFormat.sampleByteCount)
        guard let format else { throw ForeignContent.error(for: sample) }
        return try add(file, buffer, filled, format, progress)
    }

    private mutating func add(
        _ file: borrowing InputFile,
        _ buffer: UnsafeMutableRawBufferPointer,
        _ filled: Int,
        _ format: ContactFormat,
        _ progress: (Int, Int?) -> Void
    ) throws(KinfolkError) -> ContactImport {
        try addAllOrNothing { book throws(KinfolkError) in
            var importer = ContactImporter(format)
            var filled = filled
            var bytesRead = 0
            while filled > 0 {
                let bytes = UnsafeRawBufferPointer(buffer).assumingMemoryBound(to: UInt8.self)
                try importer.push(bytes.span.extracting(first: filled), into: &book)
                bytesRead += filled
                progress(bytesRead, file.byteCount)
                filled = filled < buffer.count ? 0 : try file.read(into: buffer)
            }
            return try importer.finish(into: &book)
        }
    }
}
