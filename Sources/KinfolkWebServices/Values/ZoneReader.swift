import Kinfolk
import KinfolkJSON

/// Reads and writes the IDs of zones for one caller and one database.
struct ZoneReader {
    /// The user who calls; nil if there is none.
    let user: UserRecordID?
    let scope: DatabaseScope

    /// As which a client may name the owner of all zones that it can see.
    private static let ownOwner = "__defaultOwner__"

    /// The name of the zone in a member of a request.
    ///
    /// - Parameter name: The member with the zone ID; nil if `members` are those of the ID.
    /// - Returns: Nil if the request names no zone.
    func name(_ name: String = "zoneID", in members: Members) throws(WebError) -> String? {
        guard let id = try members.object(name) else { return nil }
        do throws(WebError) { return try zone(id) } catch { throw error.within(name) }
    }

    /// The name of the zone with this ID.
    func zone(_ id: Members) throws(WebError) -> String {
        let name = try id.text("zoneName") ?? RecordZone.defaultName
        // Zones of others do not exist for the caller.
        for member in ["ownerRecordName", "ownerName"] {
            guard let owner = try id.text(member) else { continue }
            guard owner == ZoneReader.ownOwner || owner == user?.description else {
                throw WebError(.zoneNotFound, "There is no such zone in this database.")
            }
        }
        return name
    }

    func json(_ zone: String) -> JSON {
        // The public database belongs to nobody.
        let owner = scope == .private ? user?.description : nil
        return [
            "zoneName": .string(zone), "ownerRecordName": .string(owner ?? ZoneReader.ownOwner),
            "zoneType": .string(zone == RecordZone.defaultName ? "DEFAULT_ZONE" : "REGULAR_CUSTOM_ZONE"),
        ]
    }
}
