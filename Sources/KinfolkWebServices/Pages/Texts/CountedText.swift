/// A text that differs between one thing and several.
struct CountedText: Hashable, Sendable {
    let one: PageText
    /// Has a place for the value `count`.
    let other: PageText

    /// The form for a number. In all our languages, 1 has a form of its own or the same as the others.
    subscript(_ count: Int) -> PageText { count == 1 ? one : other }
}
