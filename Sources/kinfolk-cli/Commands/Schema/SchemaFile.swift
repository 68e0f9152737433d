import Kinfolk
import KinfolkFiles
import KinfolkStorage

/// A file with the text of a schema.
enum SchemaFile {
    /// More than a schema text may have.
    private static let maximumSize = 16_000_000

    static func text(_ file: FilePath) throws(KinfolkError) -> String {
        let bytes = try File.read(file.input, limit: maximumSize)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw KinfolkError(.invalidArgument, "The schema text is not UTF-8.")
        }
        return text
    }
}
