package import KinfolkCore

extension Table {
    /// The tables by which callers of a network service prove who they are.
    package static let ofAccess: [Table] = [
        Table(
            "api_tokens",
            [
                .authenticated("container_id"), .authenticated("token_tag"),
                .sealed("sealed_token", .store, at: .number("container_id"), .tag("token_tag")),
            ],
            owners: [.container],
            rotation: .byRow,
            export: .nothing(because: "It is about the application.")
        ),
        Table(
            "server_keys",
            [
                .authenticated("container_id"), .authenticated("key_id"), .authenticated("account_id"),
                .sealed("sealed_key", .store, at: .number("container_id"), .bytes("key_id"), .tag("account_id")),
            ],
            owners: [.account(), Owner("users", by: "account_id", "container_id"), .container],
            rotation: .byRow,
            export: .members(["server_keys"]),
            rule: "length(key_id) = 32"
        ),
        Table(
            "used_signatures",
            [.open("container_id"), .open("key_id"), .open("r"), .open("expires_at")],
            // The signatures of a key that was removed are kept until they expire, because the key may be added again.
            owners: [
                Owner(
                    "server_keys",
                    by: [("container_id", "container_id"), ("key_id", "key_id")],
                    isOptional: true
                ),
                .container,
            ],
            rotation: .none,
            export: .nothing(because: "They are random numbers of requests, which are kept for some minutes."),
            rule: "length(key_id) = 32 AND length(r) = 32"
        ),
        Table(
            "web_sessions",
            [
                .authenticated("account_id"), .authenticated("container_id"), .authenticated("session_id"),
                .authenticated("token_tag"), .authenticated("previous_tag"), .authenticated("code_tag"),
                .authenticated("api_token_tag"), .authenticated("expires_at"),
                .sealed(
                    "sealed_session",
                    .store,
                    at: .tag("account_id"),
                    .number("container_id"),
                    .tag("session_id")
                ),
            ],
            owners: [.account(), Owner("users", by: "account_id", "container_id"), .container],
            rotation: .byRow,
            export: .members(["web_sessions"])
        ),
        Table(
            "sign_ins",
            [
                .open("account_id"), .open("sign_in_id"), .open("is_proved"), .open("to_container"),
                .open("expires_at"),
            ],
            owners: [.account()],
            rotation: .none,
            export: .nothing(because: "They are random numbers of sign-ins, which are kept for an hour."),
            rule: "length(sign_in_id) = 16"
        ),
        Table(
            "pending_sign_ins",
            [
                .open("pending_id"), .tag("code_tag", .lasting), .open("tries"), .open("issued_at"),
                .open("expires_at"),
            ],
            rotation: .none,
            export: .nothing(because: "They are of nobody: no account has the address."),
            rule: "length(pending_id) = 16 AND length(code_tag) = 16"
        ),
        Table(
            "linked_identities",
            [
                .tag("tag", .store), .authenticated("account_id"),
                .sealed("sealed_identity", .store, at: .tag("tag"), .tag("account_id")),
            ],
            owners: [.account()],
            rotation: .byItself,
            export: .members(["identities"])
        ),
    ]
}
