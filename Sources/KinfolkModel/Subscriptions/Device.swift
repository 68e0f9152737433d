/// A device of a user in a container: it receives notifications, except about its own changes.
public struct Device: Hashable, Sendable {
    /// The name that the application gave it; nil for a session without a name, which is a device of its own.
    public let name: String?
    /// Whether it is the device of the session that asked.
    public let isCurrent: Bool

    package let id: RandomID

    package init(id: RandomID, name: String?, isCurrent: Bool) {
        (self.id, self.name, self.isCurrent) = (id, name, isCurrent)
    }

    package static func validate(name: String) throws(KinfolkError) {
        guard (1...255).contains(name.utf8.count), !name.utf8.contains(0) else {
            throw KinfolkError(.invalidArgument, "The name of a device has 1 to 255 bytes.")
        }
    }
}

extension Device: Redacted {}
