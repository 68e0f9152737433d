/// A type whose content must not appear in logs: printing, interpolation, `dump` and a debugger show only its type, and at most
/// how much it contains.
///
/// Names, addresses, labels, hashes, codes and the people whom a person knows can only be read from the properties for them.
public protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    /// The name of the type.
    public var description: String { String(describing: Self.self) }

    /// The same as the description.
    public var debugDescription: String { description }

    /// Without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
