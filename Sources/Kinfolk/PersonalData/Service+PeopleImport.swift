package import KinfolkStorage

extension Service {
    /// Makes an account for each person in a CSV file, signs it in to a container, and keeps what the person decided about
    /// being found there.
    ///
    /// The first row names the columns `given_name`, `family_name`, `email` and `consent`, of which `email` must be there.
    /// Several addresses in a cell are separated by ` ::: `. The host vouches for the addresses. A consent is `yes`, `no` or
    /// empty.
    ///
    /// Nobody loses an address: a person with one that an account has already is skipped and reported. So an import that was
    /// interrupted is simply run again. The file is read piece by piece; it may be a pipe.
    ///
    /// - Parameters:
    ///   - path: The file: UTF-8, UTF-16 or Windows-1252; separated by commas, semicolons or tabs.
    ///   - container: Where the people sign in.
    ///   - wording: What they were shown when they decided. A file with a `consent` column needs it.
    ///   - progress: Told how far the import has come, on the calling thread: while there is something to read, at least every
    ///     half second. What it throws ends the import: see ``KinfolkError/cancelled``. Accounts made until then stay.
    /// - Throws: ``KinfolkError/Code/unknownItem`` if there is no such file or container,
    ///   ``KinfolkError/Code/invalidArgument`` if it is no file of people, or has consent without a wording,
    ///   ``KinfolkError/Code/permissionFailure`` if it may not be read. Accounts made until then stay.
    public func importPeople(
        fromFile path: String,
        into container: Container,
        wording: ConsentWording? = nil,
        progress: (PeopleImport.Progress) throws(KinfolkError) -> Void = { _ in }
    ) throws(KinfolkError) -> PeopleImport {
        try importPeople(fromFile: FilePath(path), into: container, wording: wording, progress: progress)
    }

    /// The same for a path of any bytes.
    ///
    /// - Parameter batchSize: How many rows share a transaction.
    package func importPeople(
        fromFile path: FilePath,
        into container: Container,
        wording: ConsentWording?,
        batchSize: Int? = nil,
        progress: (PeopleImport.Progress) throws(KinfolkError) -> Void = { _ in }
    ) throws(KinfolkError) -> PeopleImport {
        guard container.service === self else {
            throw KinfolkError(.invalidArgument, "The container is of another service.")
        }
        try wording?.validate(for: .granted)
        let file = try InputFile(path: path)
        var importer = PeopleImporter(
            into: container,
            wording: wording,
            batchSize: batchSize ?? PeopleImporter.batchSize
        )
        do {
            try store.withLargeCache { try importer.read(file, progress) }
        } catch {
            throw KinfolkError(error)
        }
        return importer.report
    }
}

extension PeopleImporter {
    fileprivate mutating func read(
        _ file: borrowing InputFile,
        _ progress: (PeopleImport.Progress) throws(KinfolkError) -> Void
    ) throws(KinfolkError) {
        defer { stop() }
        func tell(_ importer: PeopleImporter) throws(KinfolkError) {
            let (rows, position) = importer.progress
            let share = file.byteCount.map { min(1, Double(position) / Double(max($0, 1))) }
            try progress(PeopleImport.Progress(rows: rows, share: share, created: importer.report.created))
        }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { buffer.deallocate() }
        var decoder = TextDecoder()
        var table = CSVReader()
        while case let filled = try file.read(into: buffer), filled > 0 {
            position += filled
            let piece = UnsafeRawBufferPointer(buffer).assumingMemoryBound(to: UInt8.self)
            try decoder.push(piece.span.extracting(first: filled)) { text throws(KinfolkError) in
                try table.push(text) { row throws(KinfolkError) in try read(row, tell) }
            }
            try tell(self)
        }
        try decoder.finish { text throws(KinfolkError) in
            try table.push(text) { row throws(KinfolkError) in try read(row, tell) }
        }
        try table.finish { row throws(KinfolkError) in try read(row, tell) }
        guard hasFoundColumns else {
            throw KinfolkError(.invalidArgument, "The file is empty: a first row that names the columns is expected.")
        }
        try finish(tell)
        try tell(self)
    }
}
