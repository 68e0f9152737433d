import Kinfolk
import TestSupport

/// A change that an attacker makes to the rows of a store with SQL, without its key.
struct Edit: Sendable {
    let title: String
    /// What the application does first, through Kinfolk's API.
    var before: @Sendable (EditedScene) throws -> Void = { _ in }
    let sql: @Sendable (EditedScene) -> String
}

extension Edit {
    /// All edits: of rows of an account, of rows of the directory, and older rows put back. These rows decide who is found.
    static let all: [Edit] = [
        Edit(title: "swapped owners of addresses") { scene in
            """
            UPDATE verified_emails SET account_id = CASE account_id
            WHEN \(scene.ada.account) THEN \(scene.bob.account) ELSE \(scene.ada.account) END
            WHERE account_id IN (\(scene.ada.account), \(scene.bob.account))
            """
        },
        Edit(title: "owners of addresses deleted") { _ in "DELETE FROM verified_emails" },
        Edit(title: "a suspension lifted", before: { try $0.ada.open().suspend() }) { _ in
            "UPDATE accounts SET is_suspended = 0"
        },
        Edit(title: "somebody suspended") { _ in "UPDATE accounts SET is_suspended = 1" },
        Edit(title: "a refusal changed into a consent", before: { try $0.ada.decide(.denied) }) { _ in
            "UPDATE consents SET decision = 1"
        },
        Edit(title: "a refusal deleted", before: { try $0.ada.decide(.denied) }) { _ in
            "DELETE FROM consents WHERE decision = 2"
        },
        Edit(title: "the date of a consent changed") { _ in "UPDATE consents SET decided_at = decided_at - 86400000000"
        },
        Edit(title: "a hidden address made discoverable", before: { try $0.ada.hideAddress() }) { _ in
            "UPDATE emails SET is_discoverable = 1"
        },
        Edit(
            title: "an unverified address marked as verified",
            before: { try $0.ada.open().addEmail("mallory@example.com") }
        ) { scene in
            """
            UPDATE emails SET verified_at = 1 WHERE verified_at IS NULL;
            INSERT INTO verified_emails SELECT tag, account_id FROM emails WHERE verified_at = 1
            """
        },
        Edit(title: "blocks deleted", before: { try $0.ada.session.block($0.eve.record) }) { _ in "DELETE FROM blocks"
        },
        Edit(
            title: "the operator's block deleted",
            before: { try $0.store.container.block($0.eve.record, from: $0.ada.record) }
        ) { _ in "DELETE FROM blocks" },
        Edit(title: "swapped user record IDs") { scene in
            """
            UPDATE users SET record_id = CASE account_id
            WHEN \(scene.ada.account) THEN \(scene.bob.recordLiteral) ELSE \(scene.ada.recordLiteral) END
            WHERE account_id IN (\(scene.ada.account), \(scene.bob.account))
            """
        },
        Edit(title: "a user record ID deleted") { scene in "DELETE FROM users WHERE account_id = \(scene.ada.account)"
        },
        Edit(title: "an address in the directory that leads to another person") { scene in
            "UPDATE directory SET record_id = \(scene.bob.recordLiteral) WHERE record_id = \(scene.ada.recordLiteral)"
        },
        Edit(title: "another person's identity") { scene in
            """
            UPDATE identities SET sealed_identity = (
            SELECT sealed_identity FROM identities WHERE record_id = \(scene.bob.recordLiteral))
            """
        },
        older("older rows of the directory put back, after a refusal", ["directory", "identities"]) {
            try $0.ada.decide(.denied)
        },
        older("older rows of the directory put back, after a suspension", ["directory", "identities"]) {
            try $0.ada.open().suspend()
        },
        older("the older row of an address put back in the directory", ["directory"]) { try $0.ada.hideAddress() },
        older("older consents put back", ["consents"]) { try $0.ada.decide(.denied) },
        older("the older row of the account put back", ["accounts"]) { try $0.ada.decide(.denied) },
    ]

    /// Puts the rows of these tables back as they were before `before` ran.
    private static func older(
        _ title: String,
        _ tables: [String],
        _ change: @escaping @Sendable (EditedScene) throws -> Void
    ) -> Edit {
        Edit(
            title: title,
            before: { scene in
                for table in tables { try scene.run("CREATE TABLE older_\(table) AS SELECT * FROM \(table)") }
                try change(scene)
            },
            sql: { _ in
                tables.map { "DELETE FROM \($0); INSERT INTO \($0) SELECT * FROM older_\($0)" }.joined(separator: ";")
            }
        )
    }
}
