/// The operator's identifier of a claim: 32 lower-case hexadecimal digits.
public struct ClaimID: Hashable, Sendable, CustomStringConvertible {
    package let value: RandomID

    package init(_ value: RandomID) { self.value = value }

    /// Reads a claim ID.
    ///
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if the text is not 32 lower-case hexadecimal digits.
    public init(_ text: String) throws(KinfolkError) {
        guard let value = RandomID(hex: text) else {
            throw KinfolkError(.invalidArgument, "A claim ID must be 32 lower-case hexadecimal digits.")
        }
        self.value = value
    }

    public var description: String { value.hex }
}
