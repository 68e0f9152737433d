import KinfolkCore

extension Table {
    /// The tables of assets.
    static let ofAssets: [Table] = [
        Table(
            "assets",
            [
                .authenticated("container_id"), .authenticated("owner"), .authenticated("zone"), .authenticated("id"),
                .open("number"), .tag("creator_tag", .container), .open("expires_at"), .open("bytes"),
                .sealed(
                    "sealed_asset",
                    .zone,
                    at: .number("container_id"),
                    .tag("owner"),
                    .number("zone"),
                    .tag("id")
                ),
            ],
            owners: [.owner, .container],
            rotation: .byItself,
            export: .nothing(because: "The records name the assets, and an archive has the files."),
            rule: "\(Table.hasZone("assets")) AND expires_at >= 0 AND bytes > 0"
        ),
        Table(
            "asset_chunks",
            [
                .open("container_id"), .open("asset"), .open("chunk"),
                .sealed("sealed_chunk", .asset, at: .number("chunk")),
            ],
            owners: [.container],
            rotation: .none,
            export: .nothing(because: "An archive has the files."),
            rule: "chunk >= 0"
        ),
        Table(
            "removed_assets",
            [.open("container_id"), .open("asset")],
            owners: [.container],
            rotation: .none,
            export: .nothing(because: "The assets are deleted, and only their chunks are left, which nobody can open.")
        ),
    ]
}
