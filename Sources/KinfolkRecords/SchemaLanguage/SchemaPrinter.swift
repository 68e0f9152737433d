import KinfolkModel

/// Writes a schema in Apple's schema language.
struct SchemaPrinter {
    /// Up to which length names are padded, so that types stand below each other.
    private static let maximumPadding = 32

    private var text = "DEFINE SCHEMA\n"

    static func text(_ schema: DeclaredSchema) -> String {
        var printer = SchemaPrinter()
        if !schema.roles.isEmpty { printer.text += "\n" }
        for role in schema.roles { printer.text += "    CREATE ROLE \(quoted(role.name));\n" }
        for type in schema.types { printer.append(type) }
        return printer.text
    }

    private mutating func append(_ type: DeclaredType) {
        let systemFields = SystemField.allCases.compactMap { field in
            type.systemIndexes[field].map {
                (name: SchemaPrinter.quoted(field.name), declaration: SchemaPrinter.declaration(field, $0))
            }
        }
        let fields = systemFields + type.fields.map { (SchemaPrinter.quoted($0.name), $0.declaration) }
        let width = min(fields.map(\.name.utf8.count).max() ?? 0, SchemaPrinter.maximumPadding)
        let grants = type.grants ?? .standard(for: type.name)
        let entries =
            fields.map { name, declaration in
                name + String(repeating: " ", count: max(width - name.utf8.count, 0) + 1) + declaration
            }
            + grants.roles.map { role in
                let permissions = grants.permissions[role]?.names.joined(separator: ", ") ?? ""
                return "GRANT \(permissions) TO \(SchemaPrinter.quoted(role))"
            }
        text += "\n    RECORD TYPE \(SchemaPrinter.quoted(type.name)) (\n"
        text += entries.map { "        \($0)" }.joined(separator: ",\n")
        text += "\n    );\n"
    }

    private static func declaration(_ field: SystemField, _ indexes: FieldIndexes) -> String {
        indexes.isEmpty ? field.kind.typeName() : "\(field.kind.typeName()) \(indexes)"
    }

    private static func quoted(_ name: String) -> String {
        name.hasPrefix("_") || SchemaParser.reservedWords.contains(name.uppercased()) ? "\"\(name)\"" : name
    }
}
