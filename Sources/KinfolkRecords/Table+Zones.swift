import KinfolkCore

extension Table {
    /// The tables of zones, of changes and of references.
    static let ofZones: [Table] = [
        Table(
            "zones",
            [
                .open("container_id"), .authenticated("owner"), .authenticated("zone"), .tag("name_tag", .container),
                .open("change"), .open("deletions"), .open("forgotten"),
                .sealed(
                    "sealed_zone",
                    .container,
                    at: .number("container_id"),
                    .tag("owner"),
                    .number("zone"),
                    .tag("name_tag")
                ),
            ],
            owners: [.owner, .container],
            rotation: .byItself,
            export: .members(["zones"]),
            rule: """
                \(Table.ownerExists("zones")) AND zone > 0 AND change >= zone AND deletions >= 0 AND forgotten BETWEEN 0 AND change AND EXISTS (SELECT 1
                FROM change_counts c WHERE c.container_id = zones.container_id AND c.owner = zones.owner
                AND c.last_change >= change)
                """
        ),
        Table(
            "removed_zones",
            [
                .open("container_id"), .authenticated("owner"), .authenticated("zone"), .open("change"),
                .open("removed_at"), .open("is_swept"),
                .sealed("sealed_name", .container, at: .number("container_id"), .tag("owner"), .number("zone")),
            ],
            owners: [.owner, .container],
            rotation: .byRow,
            export: .nothing(because: "A deleted zone is not kept, only its name for other devices."),
            rule: """
                \(Table.ownerExists("removed_zones")) AND is_swept IN (0, 1) AND zone > 0 AND change > zone AND EXISTS (SELECT 1 FROM change_counts c
                WHERE c.container_id = removed_zones.container_id AND c.owner = removed_zones.owner
                AND c.last_change >= change)
                """
        ),
        Table(
            "change_counts",
            [.open("container_id"), .open("owner"), .open("last_change"), .open("forgotten")],
            owners: [.owner, .container],
            rotation: .none,
            export: .nothing(because: "It counts the changes of records."),
            rule: """
                \(Table.ownerExists("change_counts")) AND last_change >= 0 AND forgotten BETWEEN 0 AND last_change
                """
        ),
        Table(
            "tombstones",
            [
                .open("container_id"), .open("owner"), .open("zone"), .open("change"), .open("deletion"),
                .tag("name_tag", .container), .open("deleted_at"),
                .sealed(
                    "sealed_id",
                    .zone,
                    at: .number("container_id"),
                    .tag("owner"),
                    .number("deletion"),
                    .tag("name_tag")
                ),
            ],
            owners: [.owner, .container],
            rotation: .byItself,
            export: .nothing(because: "A deleted record is not kept, only its name for other devices."),
            rule: """
                EXISTS (SELECT 1 FROM zones z WHERE z.container_id = tombstones.container_id
                AND z.owner = tombstones.owner AND z.zone = tombstones.zone AND tombstones.change > z.zone
                AND tombstones.change <= z.change
                AND tombstones.deletion BETWEEN 1 AND z.deletions)
                OR \(Table.zoneIsRemoved(of: "tombstones"))
                """
        ),
        Table(
            "record_references",
            [
                .open("container_id"), .open("owner"), .open("zone"), .tag("target", .container), .open("kind"),
                .open("source"),
            ],
            owners: [.owner, .container],
            rotation: .byItself,
            export: .nothing(because: "The records hold the references."),
            rule: Table.hasZone("record_references")
        ),
    ]

    /// The condition, in SQL, that the user exists whose private database a row belongs to.
    static func ownerExists(_ table: String) -> String {
        """
        EXISTS (SELECT 1 FROM users u WHERE u.container_id = \(table).container_id AND u.record_id = \(table).owner)
        """
    }

    /// The condition, in SQL, that a row belongs to the default zone, to a custom zone, or to a deleted one that still has rows.
    static func hasZone(_ table: String) -> String {
        """
        (zone = 0 OR EXISTS (SELECT 1 FROM zones z WHERE z.container_id = \(table).container_id
        AND z.owner = \(table).owner AND z.zone = \(table).zone) OR \(zoneIsRemoved(of: table)))
        """
    }

    /// The condition, in SQL, that a row of an index belongs to a zone, or to the public records that a user created.
    static func hasScope(_ table: String) -> String {
        "\(hasZone(table)) OR zone = \(IndexScope.ofCreator) AND \(ownerExists(table))"
    }

    /// The condition, in SQL, that a row belongs to a deleted zone that still has rows.
    static func zoneIsRemoved(of table: String) -> String {
        """
        EXISTS (SELECT 1 FROM removed_zones r WHERE r.container_id = \(table).container_id
        AND r.owner = \(table).owner AND r.zone = \(table).zone AND r.is_swept = 0)
        """
    }
}
