/// The names of record types: 1 to 255 ASCII letters, digits and `_`, starting with a letter.
package enum RecordType {
    /// The type of user records, which every container has.
    package static let users = "Users"

    package static func validate(_ name: String) throws(KinfolkError) {
        guard FieldName.isValid(name) else {
            throw KinfolkError(
                .invalidArgument,
                "A record type's name has 1 to 255 ASCII letters, digits and _, and starts with a letter."
            )
        }
    }
}
