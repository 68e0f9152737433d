package import KinfolkCore

extension Table {
    /// The tables of accounts, containers and sessions. An owner comes before what belongs to it.
    package static let ofAccounts: [Table] = ofContainers + ofPeople + ofAddressHistory

    private static let ofContainers: [Table] = [
        Table(
            "containers",
            [
                .authenticated("container_id"), .authenticated("name"), .authenticated("state"), .code("mac", .store),
                .open("private_epoch"), .open("prefix_bits"), .open("cover_due"), .open("created_at"),
                .authenticated("environment"),
            ],
            rotation: .byItself,
            export: .members(["container", "environment"]),
            rule: """
                private_epoch BETWEEN
                (SELECT coalesce(max(d.epoch), 0) FROM directories d WHERE d.container_id = containers.container_id)
                AND 4294967295
                """
        ),
        Table(
            "container_limits",
            [
                .authenticated("container_id"), .authenticated("permit_capacity"),
                .authenticated("permit_millionths_per_hour"), .authenticated("unverified_capacity"),
                .authenticated("multiplications_per_day"), .authenticated("rows_per_day"),
                .authenticated("fields_per_person"), .code("code", .store),
                .authenticated("quota_of_user"), .authenticated("quota_of_public_database"),
                .authenticated("quota_of_creator"), .authenticated("quota_of_asset"),
                .authenticated("quota_of_key_value_store"),
            ],
            owners: [.container],
            rotation: .byItself,
            export: .nothing(because: "It is about the container.")
        ),
        Table(
            "activity",
            [.open("container_id"), .open("day"), .open("lane"), .open("discoveries"), .open("refusals")],
            owners: [.container],
            rotation: .none,
            export: .nothing(because: "It counts all people together.")
        ),
    ]

    private static let ofPeople: [Table] = [
        Table(
            "accounts",
            [
                .authenticated("account_id"), .sealed("sealed_name", .store, at: .tag("account_id")),
                .authenticated("is_suspended"), .authenticated("revision"), .digest("digest"), .code("mac", .store),
                .open("changes"), .authenticated("created_at"),
            ],
            rotation: .withAccount,
            export: .members(["account_id", "created_at", "suspended", "given_name", "family_name"])
        ),
        Table(
            "emails",
            [
                .authenticated("account_id"), .tag("tag", .store), .authenticated("number"),
                .sealed("sealed_address", .store, at: .tag("account_id"), .tag("tag")),
                .authenticated("is_discoverable"), .authenticated("verified_at"), .authenticated("added_at"),
            ],
            owners: [.account()],
            rotation: .withAccount,
            export: .members(["emails"])
        ),
        Table(
            "verified_emails",
            [.tag("tag", .store), .authenticated("account_id")],
            owners: [Owner("emails", by: "account_id", "tag", where: "p.verified_at IS NOT NULL")],
            rotation: .withAccount,
            export: .members(["emails"])
        ),
        Table(
            "verification_codes",
            [
                .open("account_id"), .open("number"), .tag("tag", .store), .open("purpose"),
                .tag("code_tag", .lasting), .open("tries"), .open("issued_at"),
            ],
            owners: [.account()],
            rotation: .withAccount,
            export: .members(["codes"])
        ),
        Table(
            "email_claims",
            [
                .tag("tag", .store), .authenticated("claimant_id"), .authenticated("claim_id"),
                .authenticated("owner_id"), .authenticated("decision"), .authenticated("opened_at"),
                .authenticated("noticed_at"), .authenticated("completable_at"), .authenticated("decided_at"),
                .sealed("sealed_address", .store, at: .tag("tag"), .tag("claimant_id")), .code("code", .store),
            ],
            owners: [.account("claimant_id"), .account("owner_id")],
            rotation: .withAccount,
            export: .members(["claims_made", "claims_against"])
        ),
        Table(
            "users",
            [
                .authenticated("account_id"), .authenticated("container_id"), .authenticated("record_id"),
                .code("mac", .store), .open("revision"), .authenticated("created_at"), .authenticated("roles"),
            ],
            owners: [.account(), .container],
            rotation: .withAccount,
            export: .members(["containers", "user_record_id", "since", "roles"])
        ),
        Table(
            "limits",
            [
                .authenticated("account_id"), .authenticated("container_id"), .authenticated("kind"),
                .authenticated("spent"), .authenticated("counted_at"), .authenticated("lease_window"),
                .authenticated("leased"), .authenticated("leased_before"), .authenticated("lapsed"),
                .code("code", .store),
            ],
            owners: [.account(), .container],
            rotation: .withAccount,
            export: .members(["limits"]),
            rule: "kind BETWEEN 1 AND \(LimitKind.allCases.count)"
        ),
        Table(
            "audit",
            [
                .authenticated("number"), .open("container_id"), .open("record_id"),
                .sealed("sealed_reason", .store, at: .number("number")), .open("noted_at"),
            ],
            owners: [
                .optionalUser,
                // Entries outlive their container, without the ID and the reason.
                Owner(
                    "containers",
                    by: "container_id",
                    where: "p.state <> 2 OR t.record_id IS NULL AND t.sealed_reason IS NULL"
                ),
            ],
            disposal: .clearing(["record_id", "sealed_reason"]),
            rotation: .byRow,
            export: .members(["looked_up_at"])
        ),
        Table(
            "wordings",
            [
                .open("container_id"), .tag("wording_id", .container),
                .sealed("sealed_wording", .container, at: .number("container_id"), .tag("wording_id")),
            ],
            owners: [.container],
            rotation: .withAccount,
            export: .members(["discoverability"])
        ),
        Table(
            "consents",
            [
                .authenticated("account_id"), .authenticated("container_id"), .authenticated("number"),
                .authenticated("decision"), .tag("wording_id", .container), .authenticated("decided_at"),
                .digest("chain"),
            ],
            owners: [.account(), Owner("users", by: "account_id", "container_id"), .container],
            rotation: .withAccount,
            export: .members(["discoverability"])
        ),
        Table(
            "blocks",
            [
                .authenticated("container_id"), .authenticated("record_id"), .authenticated("blocked_id"),
                .authenticated("is_operators"),
            ],
            owners: [.user, .container],
            rotation: .none,
            export: .members(["blocked"])
        ),
    ]

    private static let ofAddressHistory: [Table] = [
        Table(
            "address_history",
            [
                .tag("tag", .store), .authenticated("day"), .open("expires"),
                .sealed("sealed_value", .store, at: .tag("tag"), .number("day")),
            ],
            rotation: .byItself,
            export: .nothing(because: "Its rows belong to no account, so that erasing an account resets no limit.")
        ),
        Table(
            "address_history_keys",
            [.authenticated("day"), .sealed("sealed_key", .store, at: .number("day"))],
            rotation: .byRow,
            export: .nothing(because: "Keys belong to nobody.")
        ),
    ]
}
