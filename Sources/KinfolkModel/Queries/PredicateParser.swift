/// Reads the text of a predicate ("Predicate Format String Syntax", developer.apple.com). It does not call itself for parentheses, and the work
/// is linear in the length of the text.
struct PredicateParser {
    private var scanner: PredicateScanner
    private(set) var token: PredicateToken
    var arguments: PredicateArguments

    /// - Throws: ``KinfolkError/Code/invalidArgument`` with the position if the text is not valid, or if there are too many or too few
    ///   arguments, ``KinfolkError/Code/limitExceeded`` if something is too large.
    static func predicate(_ text: String, _ arguments: [FieldValue]) throws(KinfolkError) -> QueryPredicate {
        var parser = try PredicateParser(text, arguments)
        let predicate = try parser.compound()
        guard parser.token.kind == .end else {
            throw parser.token.error("AND, OR or the end of the predicate is expected here.")
        }
        try parser.arguments.requireEnd()
        return predicate
    }

    private init(_ text: String, _ arguments: [FieldValue]) throws(KinfolkError) {
        scanner = try PredicateScanner(text)
        self.arguments = try PredicateArguments(arguments)
        token = try scanner.next()
    }

    // MARK: Compound predicates

    /// What was read of the text, or of what is in a pair of parentheses.
    private struct Level {
        /// The first token, of all and of the part after the last OR.
        let start: PredicateToken
        var conjunctionStart: PredicateToken
        /// What is joined by OR, and what is joined by AND after the last OR.
        var alternatives: [QueryPredicate] = []
        var conjunction: [QueryPredicate] = []
        /// The first NOT before the next predicate, and whether the number of them is odd.
        private var negation: PredicateToken?
        private var isNegated = false

        init(_ start: PredicateToken) { (self.start, conjunctionStart) = (start, start) }

        mutating func negate(_ token: PredicateToken) {
            negation = negation ?? token
            isNegated.toggle()
        }

        /// Adds the next predicate.
        mutating func append(_ predicate: QueryPredicate) throws(KinfolkError) {
            let predicate = isNegated ? !predicate : predicate
            conjunction.append(
                try PredicateParser.checked(negation ?? start) { () throws(QueryFault) in try predicate.checked() }
            )
            (negation, isNegated) = (nil, false)
        }

        /// Ends what is joined by AND.
        mutating func endConjunction() throws(KinfolkError) {
            let parts = conjunction
            conjunction = []
            alternatives.append(
                try PredicateParser.checked(conjunctionStart) { () throws(QueryFault) in
                    try QueryPredicate.and(parts).checked()
                }
            )
        }

        func predicate() throws(KinfolkError) -> QueryPredicate {
            try PredicateParser.checked(start) { () throws(QueryFault) in
                try QueryPredicate.or(alternatives).checked()
            }
        }
    }

    private mutating func compound() throws(KinfolkError) -> QueryPredicate {
        // The innermost parentheses are the last.
        var (level, around) = (Level(token), [Level]())
        while true {
            if token.isWord("NOT") || token.isSign(.not) {
                level.negate(token)
                try advance()
                continue
            }
            if token.isSign(.open) {
                guard around.count < QueryLimits.depth else {
                    throw token.error("parentheses are nested at most \(QueryLimits.depth) deep.", .limitExceeded)
                }
                try advance()
                around.append(level)
                level = Level(token)
                continue
            }
            try level.append(simple())
            while !token.isWord("AND"), !token.isSign(.and) {
                try level.endConjunction()
                if token.isWord("OR") || token.isSign(.or) { break }
                let predicate = try level.predicate()
                guard let outer = around.popLast() else { return predicate }
                guard token.isSign(.close) else { throw token.error("AND, OR or ) is expected here.") }
                try advance()
                level = outer
                try level.append(predicate)
            }
            let isAlternative = level.conjunction.isEmpty
            try advance()
            if isAlternative { level.conjunctionStart = token }
        }
    }

    /// A predicate without AND, OR, NOT and parentheses.
    private mutating func simple() throws(KinfolkError) -> QueryPredicate {
        switch token.keyword {
        case "TRUEPREDICATE":
            try advance()
            return .all
        case "FALSEPREDICATE":
            try advance()
            return .none
        case "ALL": return try allTokens()
        case "ANY", "SOME":
            try advance()
            return try comparison(isAny: true)
        case "NONE": throw token.error("NONE is not supported: write NOT ANY.")
        default: return try comparison(isAny: false)
        }
    }

    // MARK: Comparisons

    private mutating func comparison(isAny: Bool) throws(KinfolkError) -> QueryPredicate {
        let start = token
        let position = PredicatePosition(start.position)
        let left = try operand()
        let sign = token
        let relation = try relation()
        let side = token
        let right = try operand()
        switch (left, right) {
        case (.distance(let field, let location), let value), (let value, .distance(let field, let location)):
            let isExchanged = if case .distance = left { false } else { true }
            let relation = isExchanged ? relation.exchanged : relation
            return try PredicateParser.checked(start) { () throws(QueryFault) in
                guard !isAny, let relation = relation?.relation, let metres = value.number else {
                    throw QueryFault("a distance is compared with a number of metres, with <, <=, > or >=.")
                }
                return try QueryPredicate.distance(field, from: location, relation, metres, at: position)
            }
        case (.record, .value(.string(let text))) where !isAny && relation == .contains:
            return try PredicateParser.checked(side) { () throws(QueryFault) in
                try QueryPredicate.words(text, at: position).checked()
            }
        case (.record, _), (_, .record):
            throw start.error("self is only used in self CONTAINS 'words'. To name a field self, write #self.")
        case (.key(let field), _):
            return try PredicateParser.checked(side) { () throws(QueryFault) in
                try QueryPredicate.comparison(field, isAny: isAny, relation.operation(right), at: position)
            }
        case (_, .key(let field)):
            return try PredicateParser.checked(start) { () throws(QueryFault) in
                guard !isAny, let exchanged = relation.exchanged else {
                    throw QueryFault("the field comes first here. %K names a field that an argument gives.")
                }
                return try QueryPredicate.comparison(field, exchanged.operation(left), at: position)
            }
        default:
            throw sign.error(
                "no field is compared. %K names a field that an argument gives, and TRUEPREDICATE finds all records."
            )
        }
    }

    private mutating func relation() throws(KinfolkError) -> PredicateOperator {
        let sign = token
        let relation: PredicateOperator
        switch (sign.kind, sign.keyword) {
        case (.sign(.equal), _): relation = .equal
        case (.sign(.notEqual), _): relation = .notEqual
        case (.sign(.less), _): relation = .less
        case (.sign(.lessOrEqual), _): relation = .lessOrEqual
        case (.sign(.greater), _): relation = .greater
        case (.sign(.greaterOrEqual), _): relation = .greaterOrEqual
        case (_, "BETWEEN"): relation = .between
        case (_, "IN"): relation = .isIn
        case (_, "CONTAINS"): relation = .contains
        case (_, "BEGINSWITH"): relation = .beginsWith
        case (_, "NOT"): throw sign.error("NOT stands before the comparison: NOT field IN {1, 5}.")
        case (_, "LIKE"), (_, "MATCHES"), (_, "ENDSWITH"):
            throw sign.error(
                "LIKE, MATCHES and ENDSWITH are not supported: use BEGINSWITH, CONTAINS, or self CONTAINS for words."
            )
        case (_, "TOKENMATCHES"): throw sign.error("TOKENMATCHES is not supported: use self CONTAINS.")
        default:
            throw sign.error(
                "an operator is expected here: =, !=, <, <=, >, >=, BETWEEN, IN, CONTAINS or BEGINSWITH."
            )
        }
        try advance()
        guard !token.isSign(.openModifiers) else {
            throw token.error(
                "modifiers such as [c] are not supported. = and IN ignore case, BEGINSWITH and CONTAINS do not; "
                    + "self CONTAINS finds words in any case."
            )
        }
        return relation
    }

    /// `ALL tokenize('words', 'Cdl') IN allTokens`.
    private mutating func allTokens() throws(KinfolkError) -> QueryPredicate {
        let start = token
        let problem = "ALL is only used in ALL tokenize(%@, 'Cdl') IN allTokens."
        try advance()
        guard token.isWord("TOKENIZE") else { throw start.error(problem) }
        try advance()
        try skip(.open, problem)
        guard case .value(.string(let text)) = try operand() else { throw start.error(problem) }
        try skip(.comma, problem)
        guard case .value(.string(let options)) = try operand(), options.lowercased() == "cdl" else {
            throw start.error(problem)
        }
        try skip(.close, problem)
        guard token.isWord("IN") else { throw token.error(problem) }
        try advance()
        guard token.isWord("ALLTOKENS") else { throw token.error(problem) }
        try advance()
        return try PredicateParser.checked(start) { () throws(QueryFault) in
            try QueryPredicate.words(text, at: PredicatePosition(start.position)).checked()
        }
    }

    // MARK: Tokens

    mutating func advance() throws(KinfolkError) { token = try scanner.next() }

    mutating func skip(_ sign: PredicateToken.Sign, _ problem: String) throws(KinfolkError) {
        guard token.isSign(sign) else { throw token.error(problem) }
        try advance()
    }

    /// Says where in the text something is wrong.
    static func checked<Result>(
        _ token: PredicateToken,
        _ body: () throws(QueryFault) -> Result
    ) throws(KinfolkError) -> Result {
        do throws(QueryFault) { return try body() } catch { throw error.error(at: token.position) }
    }
}
