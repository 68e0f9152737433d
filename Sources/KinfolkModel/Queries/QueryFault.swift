/// What is wrong with a query.
package struct QueryFault: Error, Sendable, Hashable {
    let code: KinfolkError.Code
    /// The rest of a sentence. It holds no value of the query.
    let problem: String

    package init(_ problem: String, _ code: KinfolkError.Code = .invalidArgument) {
        self.code = code
        self.problem = problem
    }

    /// - Parameter position: Where it is in the text, in Unicode scalars from 1; nil without a text.
    package func error(at position: Int? = nil) -> KinfolkError {
        let place = position.map { "At character \($0) of the predicate" } ?? "In the query"
        return KinfolkError(code, "\(place): \(problem)")
    }
}
