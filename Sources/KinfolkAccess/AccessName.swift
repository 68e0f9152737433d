import KinfolkModel

/// The name that the operator gives to an API token or a server key.
enum AccessName {
    private static let maximumLength = 255

    static func validate(_ name: String) throws(KinfolkError) {
        guard (1...maximumLength).contains(name.utf8.count), !name.utf8.contains(0) else {
            throw KinfolkError(.invalidArgument, "A name has 1 to \(maximumLength) bytes, without a NUL.")
        }
    }
}
