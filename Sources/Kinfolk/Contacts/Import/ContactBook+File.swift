package import KinfolkStorage

extension ContactBook {
    /// Adds the contacts of a file: vCard, jCard, LDIF, a table, or a list of addresses or contact hashes, told apart by the content.
    ///
    /// A file is a list if nearly all of its lines are addresses or hashes; the others are skipped and reported. The file is read in
    /// pieces, however long it is; a pipe will do.
    ///
    /// - Parameters:
    ///   - path: Where the file is.
    ///   - progress: Told after each piece how many bytes have been read, and of how many if that is known.
    /// - Throws: `unknownItem` if there is no such file, `permissionFailure` if it may not be read, `invalidArgument` if it is
    ///   of none of these kinds, with what it is and what to export instead where that is known, `limitExceeded` if the book is full. Nothing has been added then.
    @discardableResult
    public mutating func add(
        contentsOfFile path: String,
        progress: (_ bytesRead: Int, _ byteCount: Int?) -> Void = { _, _ in }
    ) throws(KinfolkError) -> ContactImport {
        try add(contentsOfFile: FilePath(path), progress: progress)
    }

    /// The same for a path of any bytes.
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
        switch ContactFormat(detecting: sample, isAll: filled <= ContactFormat.sampleByteCount) {
        case .vCard?: return try add(file, buffer, filled, VCardReader(), progress)
        case .csv?: return try add(file, buffer, filled, CSVContactReader(), progress)
        case .ldif?: return try add(file, buffer, filled, LDIFReader(), progress)
        case .jCard?: return try add(file, buffer, filled, JCardReader(), progress)
        case .list?: return try add(file, buffer, filled, AddressListReader(), progress)
        case nil: throw ForeignContent.error(for: sample)
        }
    }

    private mutating func add(
        _ file: borrowing InputFile,
        _ buffer: UnsafeMutableRawBufferPointer,
        _ filled: Int,
        _ reader: some ContactReader,
        _ progress: (Int, Int?) -> Void
    ) throws(KinfolkError) -> ContactImport {
        try addAllOrNothing { book throws(KinfolkError) in
            var importer = ContactImporter(reader)
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
