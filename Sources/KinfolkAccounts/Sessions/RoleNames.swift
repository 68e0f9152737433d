/// The roles of an account in a container, as their names.
package struct RoleNames: Sendable, Hashable {
    /// The names in order, with a space between them: the name of a role has none.
    let stored: String

    package init(stored: String) { self.stored = stored }

    package init(_ names: Set<String> = []) { stored = names.sorted().joined(separator: " ") }

    package var names: Set<String> { Set(stored.split(separator: " ").map(String.init)) }

    package var isEmpty: Bool { stored.isEmpty }
}
