extension QueryPredicate {
    /// A predicate from a text, as for `NSPredicate(format:)`, with arguments for its placeholders.
    ///
    /// ```swift
    /// let soon = try QueryPredicate("start > %@ AND name = %@", .date(.now), .string("Meeting"))
    /// let near = try QueryPredicate("distanceToLocation:fromLocation:(place, %@) < 100", .location(here))
    /// let tagged = try QueryPredicate("tag IN %@", .stringList(["home", "work"]))
    /// ```
    ///
    /// `%@` stands for a value, or for a list after `IN` and `BETWEEN`; `%K` for the name of a field. An argument is never read as text of a
    /// predicate.
    ///
    /// - Parameters:
    ///   - text: The predicate: at most 16,384 bytes.
    ///   - arguments: A value for each placeholder, in their order: at most 1 MB together.
    /// - Throws: ``KinfolkError/Code/invalidArgument`` with the position if the text is not valid, or if there are too many or too few
    ///   arguments, ``KinfolkError/Code/limitExceeded`` if something is too large.
    public init(_ text: String, _ arguments: FieldValue...) throws(KinfolkError) {
        try self.init(text, arguments: arguments)
    }

    /// A predicate from a text, with an array of arguments. It is like ``init(_:_:)``.
    public init(_ text: String, arguments: [FieldValue]) throws(KinfolkError) {
        self = try PredicateParser.predicate(text, arguments)
    }

    /// A text that stands for the predicate, with ``arguments`` for its placeholders. The values in it are those of the predicate: do not log
    /// it.
    public var text: String { PredicatePrinter(tree).text }

    /// The arguments of ``text``: the values that cannot be written in a predicate, such as dates and locations.
    public var arguments: [FieldValue] { PredicatePrinter(tree).arguments }
}
