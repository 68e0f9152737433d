package import KinfolkStorage

/// What a component leaves out of backups.
package struct BackupExclusion: Sendable {
    /// Whether a store may have something to leave out. False means that a backup is not opened for that.
    package let mayApply: @Sendable (Service, Connection) throws -> Bool
    /// Deletes it from a backup of the service's store, which nobody else has open.
    package let apply: @Sendable (Service, _ backup: Store) throws -> Void

    package init(
        mayApply: @escaping @Sendable (Service, Connection) throws -> Bool,
        apply: @escaping @Sendable (Service, _ backup: Store) throws -> Void
    ) {
        self.mayApply = mayApply
        self.apply = apply
    }
}
