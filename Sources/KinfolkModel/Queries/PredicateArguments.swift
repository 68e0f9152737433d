/// The arguments of a predicate's text, one after another.
struct PredicateArguments {
    private let values: [FieldValue]
    private var index = 0

    /// - Throws: ``KinfolkError/Code/limitExceeded`` if they are too large together.
    init(_ values: [FieldValue]) throws(KinfolkError) {
        var bytes = 0
        for value in values {
            bytes += value.size
            guard bytes <= QueryLimits.valueBytes else {
                throw KinfolkError(
                    .limitExceeded,
                    "The arguments of a predicate have at most \(QueryLimits.valueBytes) bytes together."
                )
            }
        }
        self.values = values
    }

    /// The argument that a token stands for.
    mutating func next(_ token: PredicateToken) throws(KinfolkError) -> FieldValue {
        guard index < values.count else { throw token.error("there is no argument for this %.") }
        index += 1
        return values[index - 1]
    }

    /// - Throws: ``KinfolkError/Code/invalidArgument`` if the text uses only some of them.
    func requireEnd() throws(KinfolkError) {
        guard index == values.count else {
            throw KinfolkError(
                .invalidArgument,
                "The predicate takes \(index) \(index == 1 ? "argument" : "arguments"), and not \(values.count)."
            )
        }
    }
}
