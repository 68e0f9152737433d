package import KinfolkCore

extension Component {
    /// Documents.
    package static let documents = Component(
        exclusions: [
            BackupExclusion(
                mayApply: { service, db in try ExcludedDocuments.hasDocuments(service, db) },
                apply: { service, backup in try ExcludedDocuments.delete(from: backup, of: service) }
            )
        ]
    )
}
