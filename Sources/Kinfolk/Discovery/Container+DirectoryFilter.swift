extension Container {
    /// Whether searches for contact books ask a filter first. It is made in the background when a book is first searched for in
    /// a directory that is large enough.
    public var hasDirectoryFilter: Bool { service.filters.hasFilter(of: number) }
}
