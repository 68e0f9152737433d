import KinfolkAccounts
package import KinfolkCore

extension Component {
    /// API tokens, server keys, web sessions and identities.
    package static let access = Component(
        often: [{ service in try AccessExpiry.run(service) }],
        indexes: [
            DerivedIndex(of: [AccountChange].self) { changes, _, db in
                try WebSessionTable.follow(changes, db)
            }
        ]
    )
}
