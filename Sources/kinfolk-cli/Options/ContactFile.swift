import Kinfolk
import KinfolkFiles
import KinfolkStorage

/// A contact file that a command was given: a path, or `-` for standard input.
struct ContactFile {
    /// The formats that are read, for help pages.
    static let formats = """
        a vCard export (.vcf), jCard, LDIF as Thunderbird exports it, a CSV export of Google Contacts, Outlook or Thunderbird, \
        or a list with one e-mail address or contact hash on each line. The content of the file decides which of these it is.
        """

    let path: FilePath

    /// Adds its contacts to a book, and shows the progress of reading.
    func read(into book: inout ContactBook) throws(KinfolkError) -> ContactImport {
        var bar = ProgressBar("Reading", isReading: true)
        defer { bar.clear() }
        do {
            return try book.add(contentsOfFile: path.input) { bytesRead, byteCount in
                bar.draw(share: byteCount.map { bytesRead.share(of: $0) }, bytesRead >> 20, "MB")
            }
        } catch {
            throw error.naming(path)
        }
    }
}
