/// The sides of comparisons.
extension PredicateParser {
    mutating func operand() throws(KinfolkError) -> PredicateOperand {
        let start = token
        try advance()
        switch start.kind {
        case .word(let word): return try operand(word, start)
        case .name(let name): return .key(QueryField(name))
        case .value(let value): return .value(value)
        case .argument:
            let value = try arguments.next(start)
            guard value.type.rawValue > 16 else { return .value(value) }
            // Before the elements are taken apart.
            guard value.count <= QueryLimits.terms else {
                throw start.error("a list has at most \(QueryLimits.terms) values.", .limitExceeded)
            }
            return .list(value.elements ?? [])
        case .numberArgument:
            let operand = PredicateOperand.value(try arguments.next(start))
            guard operand.number != nil else { throw start.error("the argument is not a number: use %@.") }
            return operand
        case .nameArgument:
            guard case .string(let name) = try arguments.next(start) else {
                throw start.error("the argument of %K is the name of a field, a text.")
            }
            let field = QueryField(name)
            _ = try PredicateParser.checked(start) { () throws(QueryFault) in try field.validate() }
            return .key(field)
        case .sign(.openList): return .list(try list())
        default: throw start.error("a field or a value is expected here.")
        }
    }

    private mutating func operand(_ word: String, _ start: PredicateToken) throws(KinfolkError) -> PredicateOperand {
        switch start.keyword {
        case "SELF": return .record
        case "NULL", "NIL": return .null
        case "TRUE", "YES": return .value(.boolean(true))
        case "FALSE", "NO": return .value(.boolean(false))
        case let keyword? where PredicateToken.keywords.contains(keyword):
            throw start.error(
                "a field or a value is expected here. A field with the name of a keyword is written after #."
            )
        default: break
        }
        if word == PredicateToken.distanceFunction { return try distance(start) }
        guard !token.isSign(.open), !word.utf8.contains(UInt8(ascii: ":")) else {
            throw start.error(
                "there is no function of this name: only \(PredicateToken.distanceFunction) and ALL tokenize."
            )
        }
        let field = QueryField(word)
        _ = try PredicateParser.checked(start) { () throws(QueryFault) in try field.validate() }
        return .key(field)
    }

    /// The arguments of the function, after its name.
    private mutating func distance(_ start: PredicateToken) throws(KinfolkError) -> PredicateOperand {
        let problem = "\(PredicateToken.distanceFunction)(field, %@) needs a field and an argument that is a location."
        try skip(.open, problem)
        let first = try simpleOperand(problem)
        try skip(.comma, problem)
        let second = try simpleOperand(problem)
        try skip(.close, problem)
        switch (first, second) {
        case (.key(let field), .value(.location(let location))), (.value(.location(let location)), .key(let field)):
            return .distance(field, from: location)
        default: throw start.error(problem)
        }
    }

    /// An operand that has no other ones in it.
    private mutating func simpleOperand(_ problem: String) throws(KinfolkError) -> PredicateOperand {
        if case .word(PredicateToken.distanceFunction) = token.kind { throw token.error(problem) }
        guard !token.isSign(.openList) else { throw token.error(problem) }
        return try operand()
    }

    /// The values of a list, after `{`.
    private mutating func list() throws(KinfolkError) -> [FieldValue] {
        let problem = "a list holds values between { and }, with a comma between each two."
        var values: [FieldValue] = []
        guard !token.isSign(.closeList) else {
            try advance()
            return values
        }
        while true {
            let start = token
            guard case .value(let value) = try simpleOperand(problem) else { throw start.error(problem) }
            values.append(value)
            if token.isSign(.closeList) { break }
            try skip(.comma, problem)
        }
        try advance()
        return values
    }
}
