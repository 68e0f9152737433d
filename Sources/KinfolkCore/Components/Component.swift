package import KinfolkStorage

/// What a target above the core adds to a service. A service is opened with a list of them, the lower ones first.
package struct Component: Sendable {
    /// Creates the state that the component keeps in memory.
    package let parts: @Sendable (ServiceContext) -> [any ServicePart]
    /// Work to do once a day, by the first service of the store that finds it due.
    package let daily: [@Sendable (Service, Connection) throws -> Void]
    /// Work that is considered about once a minute. Each item decides whether it is due.
    package let often: [@Sendable (Service) throws -> Void]
    /// What is looked at after each write of the service. It must take next to no time.
    package let written: [@Sendable (Service) -> Void]
    /// Values of type ``DerivedIndex``.
    package let indexes: [any Sendable]
    /// What is left out of backups.
    package let exclusions: [BackupExclusion]

    package init(
        parts: @escaping @Sendable (ServiceContext) -> [any ServicePart] = { _ in [] },
        daily: [@Sendable (Service, Connection) throws -> Void] = [],
        often: [@Sendable (Service) throws -> Void] = [],
        written: [@Sendable (Service) -> Void] = [],
        indexes: [any Sendable] = [],
        exclusions: [BackupExclusion] = []
    ) {
        self.parts = parts
        self.daily = daily
        self.often = often
        self.written = written
        self.indexes = indexes
        self.exclusions = exclusions
    }
}
