public import KinfolkAccounts

extension Container {
    /// Whether searches for contact books use a filter before the store. The filter is created in the background after the first
    /// search for a book in a directory that is large enough.
    ///
    /// For tests and benchmarks only, which wait for the filter: `@_spi(Measuring) import Kinfolk`.
    @_spi(Measuring) public var hasDirectoryFilter: Bool { service.filters.hasFilter(of: number) }
}
