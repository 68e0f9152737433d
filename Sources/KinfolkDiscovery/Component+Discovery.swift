import KinfolkAccounts
package import KinfolkCore

extension Component {
    /// Directories and the search in them.
    ///
    /// - Parameter minimumPeople: The number of people from which a container's directory gets a filter.
    package static func discovery(filteredFrom minimumPeople: Int) -> Component {
        Component(
            parts: { context in
                [
                    DirectoryFilterCache(
                        store: context.store,
                        limit: context.memory.directoryFilters,
                        minimumPeople: minimumPeople
                    )
                ]
            },
            often: [{ service in try PrivateCover.run(for: service) }],
            indexes: [
                DerivedIndex(of: [AccountChange].self) { changes, service, db in
                    try DirectoryIndex(service: service).follow(changes, db)
                },
                DerivedIndex(of: ContainerCreation.self) { creation, _, db in
                    try DirectoryEpochTable.insert(0, .complete, in: creation.container, db)
                },
            ]
        )
    }
}
