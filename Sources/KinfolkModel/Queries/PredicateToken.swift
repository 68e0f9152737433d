/// A word, a value or a sign of a predicate's text.
struct PredicateToken: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        /// A keyword, or the name of a field.
        case word(String)
        /// The name of a field after `#`, which is no keyword.
        case name(String)
        /// A text in quotes, or a number.
        case value(FieldValue)
        /// `%@`: the next argument.
        case argument
        /// `%d`, `%f` and the like: the next argument, a number.
        case numberArgument
        /// `%K`: the next argument, the name of a field.
        case nameArgument
        case sign(Sign)
        /// The end of the text.
        case end
    }

    enum Sign: Sendable, Hashable {
        case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
        case and, or, not
        case open, close, openList, closeList, openModifiers, comma
    }

    let kind: Kind
    /// Where it begins, in Unicode scalars from 1.
    let position: Int

    /// Whether it is a keyword, which is given in capitals and may be written in any case.
    func isWord(_ keyword: String) -> Bool { keyword == self.keyword }

    func isSign(_ sign: Sign) -> Bool { kind == .sign(sign) }

    /// The word in capitals; nil for other tokens, and for words that are longer than any keyword.
    var keyword: String? {
        guard case .word(let word) = kind, word.utf8.count <= 16 else { return nil }
        return String(decoding: word.utf8.map { (0x61...0x7a).contains($0) ? $0 - 0x20 : $0 }, as: UTF8.self)
    }

    func error(_ problem: String, _ code: KinfolkError.Code = .invalidArgument) -> KinfolkError {
        QueryFault(problem, code).error(at: position)
    }

    /// The words that name a field only after `#`.
    static let keywords: Set<String> = [
        "ALL", "AND", "ANY", "BEGINSWITH", "BETWEEN", "CONTAINS", "FALSE", "FALSEPREDICATE", "IN", "NIL", "NO", "NONE",
        "NOT",
        "NULL", "OR", "SELF", "SOME", "TRUE", "TRUEPREDICATE", "YES",
    ]

    /// The function whose arguments are a field and a location, in either order.
    static let distanceFunction = "distanceToLocation:fromLocation:"
}
