import Kinfolk
import KinfolkJSON

/// What each side of a private discovery could see.
struct PrivateView {
    let exposure: PrivateExposure
    let contacts: Int
    let found: Int
    let isNamed: Bool
    let sent: Int
    let received: Int

    var lines: [String] {
        [
            "", "What the server could see:",
            "  " + evaluated,
            "  " + buckets,
            "  "
                + (isNamed && found > 0
                    ? "who was found: \(found.counted("name was", "names were")) asked for."
                    : "not who was found: no name was asked for."),
            "What the client could see of the directory:",
            "  \(exposure.rows.counted("row", "rows")); it can read only the rows of its own contacts.",
            "To the server \(sent.shownBytes), from the server \(received.shownBytes).",
        ]
    }

    private var evaluated: String {
        let renewed =
            exposure.renewals == 0 ? "" : " \(exposure.renewals) points were paid for before, under another key."
        return exposure.points == 0
            ? "no new contact: all contacts were asked about before." + renewed
            : "\(exposure.points) blinded points, some of them fillers; none says which contact." + renewed
    }

    private var buckets: String {
        guard exposure.buckets > 0 else { return "no bucket." }
        return exposure.prefixBits == 0
            ? "that the whole directory was asked for: nothing about the contacts."
            : "\(exposure.prefixBits.counted("bit", "bits")) of the bucket of each contact and filler, in "
                + "\(exposure.buckets.counted("bucket", "buckets"))."
    }

    var json: JSON {
        [
            "epoch": .count(Int(exposure.epoch)),
            "prefix_bits": .count(exposure.prefixBits),
            "points_evaluated": .count(exposure.points),
            "points_renewed": .count(exposure.renewals),
            "buckets_asked_for": .count(exposure.buckets),
            "rows_received": .count(exposure.rows),
            "names_asked_for": .boolean(isNamed),
            "bytes_to_server": .count(sent),
            "bytes_from_server": .count(received),
        ]
    }
}

extension Int {
    /// `812 bytes`, `36.1 KiB`, `1.4 MiB`.
    fileprivate var shownBytes: String {
        if self < 1_024 { return counted("byte", "bytes") }
        let (unit, name) = self < 1 << 20 ? (1 << 10, "KiB") : (1 << 20, "MiB")
        return "\(self / unit).\(self % unit * 10 / unit) \(name)"
    }
}
