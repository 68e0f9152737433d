import KinfolkModel

/// Reads a text in Apple's schema language ("Integrating a Text-Based Schema into Your Workflow", developer.apple.com). It uses no
/// recursion, and the work is linear in the length of the text.
struct SchemaParser {
    private var scanner: SchemaScanner
    private var token: SchemaToken
    private var schema = DeclaredSchema()
    private var roleNames: Set<String> = []
    private var typeNames: Set<String> = []
    private var fieldCount = 0

    /// What the text declares.
    ///
    /// - Throws: ``KinfolkError/Code/invalidArgument`` with line and column if the text is not valid,
    ///   ``KinfolkError/Code/limitExceeded`` if it is too long, or declares too much.
    static func schema(_ text: String) throws(KinfolkError) -> DeclaredSchema {
        var parser = try SchemaParser(text)
        try parser.parse()
        return parser.schema
    }

    private init(_ text: String) throws(KinfolkError) {
        scanner = try SchemaScanner(text)
        token = try scanner.next()
    }

    private mutating func parse() throws(KinfolkError) {
        try skip("DEFINE")
        try skip("SCHEMA")
        while token.kind != .end {
            if token.isWord("CREATE") {
                try parseRole()
            } else {
                guard token.isWord("RECORD") else { throw unexpected("CREATE ROLE or RECORD TYPE") }
                try parseType()
            }
            try skip(sign: ";")
        }
    }

    private mutating func parseRole() throws(KinfolkError) {
        try skip("CREATE")
        try skip("ROLE")
        let (name, position) = try name("the name of a role")
        guard FieldName.isValid(name) else { throw position.error(SchemaParser.nameRule) }
        guard roleNames.insert(name).inserted else { throw position.error("the role \(name) is created twice.") }
        schema.roles.append(DeclaredSchema.Role(name: name, position: position))
        try SchemaLimits.require(roles: schema.roles.count)
    }

    // MARK: Record types

    private mutating func parseType() throws(KinfolkError) {
        try skip("RECORD")
        try skip("TYPE")
        let (name, position) = try name("the name of a record type")
        guard FieldName.isValid(name) else { throw position.error(SchemaParser.nameRule) }
        guard typeNames.insert(name).inserted else {
            throw position.error("the record type \(name) is declared twice.")
        }
        var type = DeclaredType(name: name, position: position)
        var names: Set<String> = []
        try skip(sign: "(")
        if !token.isSign(")") {
            try parseEntry(of: &type, &names)
            while token.isSign(",") {
                try advance()
                try parseEntry(of: &type, &names)
            }
            guard token.isSign(")") else { throw unexpected("\",\" or \")\"") }
        }
        try skip(sign: ")")
        schema.types.append(type)
        try SchemaLimits.require(types: schema.types.count)
    }

    private mutating func parseEntry(of type: inout DeclaredType, _ names: inout Set<String>) throws(KinfolkError) {
        guard !token.isWord("GRANT") else { return try parseGrant(of: &type) }
        let isQuoted = if case .quoted = token.kind { true } else { false }
        let (name, position) = try name("the name of a field, or GRANT")
        guard isQuoted || !SchemaParser.reservedWords.contains(name.uppercased()) else {
            throw position.error("\(name) is a reserved word: put the name in quotes.")
        }
        guard names.insert(name).inserted else {
            throw position.error("the field \(name) is declared twice.")
        }
        guard !name.hasPrefix("_") else { return try parseSystemField(name, position, of: &type) }
        guard FieldName.isValid(name) else { throw position.error(SchemaParser.nameRule) }
        let (kind, isEncrypted) = try parseKind()
        let indexes = try parseIndexes(of: kind, isEncrypted)
        let options = FieldDefinition.Options(indexes).union(isEncrypted ? .encrypted : [])
        type.fields.append(DeclaredField(name: name, kind: kind, options: options, position: position))
        fieldCount += 1
        try SchemaLimits.require(fieldsOfType: type.fields.count, fields: fieldCount)
    }

    private mutating func parseSystemField(
        _ name: String,
        _ position: SchemaPosition,
        of type: inout DeclaredType
    ) throws(KinfolkError) {
        guard let field = SystemField.allCases.first(where: { $0.name == name }) else {
            throw position.error("names that begin with _ are reserved, and there is no system field of this name.")
        }
        let start = token.position
        let (kind, isEncrypted) = try parseKind()
        guard kind == field.kind, !isEncrypted else {
            throw start.error("the system field \(name) has the type \(field.kind.typeName()).")
        }
        var indexes: FieldIndexes = []
        while let index = index(token) {
            indexes.insert(index)
            try advance()
        }
        type.systemIndexes[field] = indexes
    }

    // MARK: Types and indexes of fields

    private mutating func parseKind() throws(KinfolkError) -> (kind: FieldType, isEncrypted: Bool) {
        guard token.isWord("LIST") else { return try parseElement() }
        try advance()
        try skip(sign: "<")
        let start = token.position
        let (element, isEncrypted) = try parseElement()
        guard let list = element.list else { throw start.error("a list holds no lists.") }
        try skip(sign: ">")
        return (list, isEncrypted)
    }

    private mutating func parseElement() throws(KinfolkError) -> (kind: FieldType, isEncrypted: Bool) {
        let isEncrypted = token.isWord("ENCRYPTED")
        if isEncrypted { try advance() }
        let start = token
        if !isEncrypted, token.isWord("NUMBER") { return (try parseNumber(), false) }
        guard let type = FieldType.keywords.first(where: { start.isWord($0.keyword) })?.type else {
            guard !token.isWord("LIST") else { throw start.position.error("a list holds no lists.") }
            throw unexpected(isEncrypted ? "a type that can be ENCRYPTED" : "the type of a field")
        }
        guard !isEncrypted || type != .reference && type != .asset else {
            throw unexpected("a type that can be ENCRYPTED")
        }
        try advance()
        return (type == .int64 && token.followsBooleanMark ? .boolean : type, isEncrypted)
    }

    /// `NUMBER PREFERRED AS INT64` and `NUMBER PREFERRED AS DOUBLE`.
    private mutating func parseNumber() throws(KinfolkError) -> FieldType {
        let start = token.position
        try advance()
        guard token.isWord("PREFERRED") else {
            throw start.error("a NUMBER without PREFERRED AS has no fixed type: write INT64 or DOUBLE.")
        }
        try advance()
        try skip("AS")
        let isWhole = token.isWord("INT64")
        guard isWhole || token.isWord("DOUBLE") else { throw unexpected("INT64 or DOUBLE") }
        try advance()
        return isWhole ? .int64 : .double
    }

    private mutating func parseIndexes(of kind: FieldType, _ isEncrypted: Bool) throws(KinfolkError) -> FieldIndexes {
        var indexes: FieldIndexes = []
        while let index = index(token) {
            if let refusal = DeclaredField.refusal(of: index, for: kind, isEncrypted: isEncrypted) {
                throw token.position.error(refusal)
            }
            indexes.insert(index)
            try advance()
        }
        return indexes
    }

    private func index(_ token: SchemaToken) -> FieldIndexes? {
        if token.isWord("QUERYABLE") { return .queryable }
        if token.isWord("SORTABLE") { return .sortable }
        return token.isWord("SEARCHABLE") ? .searchable : nil
    }

    // MARK: Grants

    private mutating func parseGrant(of type: inout DeclaredType) throws(KinfolkError) {
        try skip("GRANT")
        var permissions = try parsePermission()
        while token.isSign(",") {
            try advance()
            permissions.formUnion(try parsePermission())
        }
        try skip("TO")
        let (role, position) = try name("the name of a role")
        guard Grants.systemRoles.contains(role) || FieldName.isValid(role) else {
            throw position.error("there is no such role: names that begin with _ are reserved.")
        }
        var grants = type.grants ?? Grants([:])
        grants.permissions[role, default: []].formUnion(permissions)
        type.grants = grants
        if type.rolePositions[role] == nil { type.rolePositions[role] = position }
    }

    private mutating func parsePermission() throws(KinfolkError) -> Grants.Permissions {
        guard let permission = Grants.Permissions.names.first(where: { token.isWord($0.name) })?.permission else {
            throw unexpected("READ, CREATE or WRITE")
        }
        try advance()
        return permission
    }

    // MARK: Tokens

    /// Words that are names only in quotes.
    static let reservedWords: Set<String> = ["GRANT", "PREFERRED", "QUERYABLE", "SORTABLE", "SEARCHABLE"]

    private static let nameRule = "a name has 1 to 255 ASCII letters, digits and _, and starts with a letter."

    private mutating func advance() throws(KinfolkError) { token = try scanner.next() }

    private mutating func skip(_ keyword: String) throws(KinfolkError) {
        guard token.isWord(keyword) else { throw unexpected(keyword) }
        try advance()
    }

    private mutating func skip(sign: Unicode.Scalar) throws(KinfolkError) {
        guard token.isSign(sign) else { throw unexpected("\"\(sign)\"") }
        try advance()
    }

    private mutating func name(_ expected: String) throws(KinfolkError) -> (String, SchemaPosition) {
        switch token.kind {
        case .word(let name), .quoted(let name):
            let position = token.position
            try advance()
            return (name, position)
        case .sign, .end: throw unexpected(expected)
        }
    }

    private func unexpected(_ expected: String) -> KinfolkError {
        token.position.error("expected \(expected), not \(token.shown).")
    }
}
