import KinfolkAccounts
import KinfolkContacts
import KinfolkCore
package import KinfolkFiles
import KinfolkModel
import KinfolkStorage

extension Service {
    /// Creates an account for each person in a CSV file, signs it in to a container, and stores the person's decision about being
    /// found there.
    ///
    /// The first row names the columns `given_name`, `family_name`, `email` and `consent`; only `email` is required. Several
    /// addresses in a cell are separated by ` ::: `. The host vouches for the addresses. A consent is `yes`, `no` or empty.
    ///
    /// No account loses an address: a person with an address that an account already has is skipped and reported. So an
    /// interrupted import can simply be run again. The file is read in pieces, and may be a pipe.
    ///
    /// ```swift
    /// let wording = ConsentWording("May people who have your e-mail address find you?", version: "1")
    /// let report = try service.importPeople(fromFile: "people.csv", into: container, wording: wording)
    /// for skip in report.skipped { print("line \(skip.line): \(skip.reason)") }
    /// ```
    ///
    /// - Parameters:
    ///   - path: The file: UTF-8, UTF-16 or Windows-1252; separated by commas, semicolons or tabs.
    ///   - container: The container in which the people are signed in.
    ///   - wording: The wording that they were shown when they decided. Required if the file has a `consent` column.
    ///   - progress: Called with the progress of the import, on the calling thread, at least every half second while there is
    ///     something to read. If it throws, the import ends: see ``KinfolkError/cancelled``. Accounts created until then remain.
    /// - Throws: ``KinfolkError/Code/unknownItem`` if there is no such file or container, ``KinfolkError/Code/invalidArgument``
    ///   if it is not a file of people, or has a consent column and no wording was given, ``KinfolkError/Code/permissionFailure``
    ///   if it may not be read. Accounts created until then remain.
    public func importPeople(
        fromFile path: String,
        into container: Container,
        wording: ConsentWording? = nil,
        progress: (PeopleImport.Progress) throws(KinfolkError) -> Void = { _ in }
    ) throws(KinfolkError) -> PeopleImport {
        try importPeople(fromFile: FilePath(path), into: container, wording: wording, progress: progress)
    }

    /// Like the public call, for a path that may not be valid UTF-8.
    ///
    /// - Parameters:
    ///   - batchSize: How many rows share a transaction.
    ///   - unfinished: Called before an error is thrown, with the report of what was done until then.
    package func importPeople(
        fromFile path: FilePath,
        into container: Container,
        wording: ConsentWording?,
        batchSize: Int? = nil,
        progress: (PeopleImport.Progress) throws(KinfolkError) -> Void = { _ in },
        unfinished: (PeopleImport) -> Void = { _ in }
    ) throws(KinfolkError) -> PeopleImport {
        guard container.service === self else {
            throw KinfolkError(.invalidArgument, "The container belongs to another service.")
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
            unfinished(importer.report)
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
        // Everything is imported: it is too late to cancel the call.
        try? tell(self)
    }
}
