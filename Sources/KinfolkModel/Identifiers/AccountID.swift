/// The operator's identifier of a person: 32 lower-case hexadecimal digits. Applications never see it.
public struct AccountID: Hashable, Sendable, CustomStringConvertible {
    package let value: RandomID

    package init(_ value: RandomID) { self.value = value }

    /// Reads an account ID.
    ///
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if the text is not 32 lower-case hexadecimal digits.
    public init(_ text: String) throws(KinfolkError) {
        guard let value = RandomID(hex: text) else {
            throw KinfolkError(.invalidArgument, "An account ID must be 32 lower-case hexadecimal digits.")
        }
        self.value = value
    }

    public var description: String { value.hex }
}
