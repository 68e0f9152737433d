import KinfolkModel

/// A place in a schema text.
struct SchemaPosition: Sendable, Hashable {
    /// From 1.
    let line: Int
    /// From 1, in Unicode scalars.
    let column: Int

    /// The error at this place.
    ///
    /// - Parameter problem: What is wrong, as the rest of a sentence.
    func error(_ problem: String) -> KinfolkError {
        KinfolkError(.invalidArgument, "Line \(line), column \(column) of the schema text: \(problem)")
    }
}
