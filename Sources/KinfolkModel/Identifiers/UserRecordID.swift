/// A person's identifier in one container: `_` and 32 lower-case hexadecimal digits, 128 random bits.
///
/// The same person has unrelated user record IDs in two containers.
public struct UserRecordID: Hashable, Sendable, CustomStringConvertible {
    package let value: RandomID

    package init(_ value: RandomID) { self.value = value }

    /// Another ID, different for each ID, which belongs to nobody.
    package var opposite: UserRecordID { UserRecordID(value.opposite) }

    /// Reads a user record ID.
    ///
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if the text is not `_` and 32 lower-case hexadecimal digits.
    public init(_ text: String) throws(KinfolkError) {
        guard text.utf8.first == UInt8(ascii: "_"), let value = RandomID(hex: text.dropFirst()) else {
            throw KinfolkError(.invalidArgument, "A user record ID must be _ and 32 lower-case hexadecimal digits.")
        }
        self.value = value
    }

    public var description: String { "_" + value.hex }
}
