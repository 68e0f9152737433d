import ArgumentParser
import Kinfolk

/// The document that a command works on.
struct DocumentOptions: ParsableArguments {
    @Argument(help: "The path of the document: names with / between them.")
    var path: String

    /// The document with the path, as it is now.
    func document(in documents: Documents) throws(KinfolkError) -> Document {
        do { return try documents.document(at: path) } catch {
            guard error.code == .unknownItem else { throw error }
            throw error.advising("\"kinfolk document list\" shows the paths.")
        }
    }
}
