import Kinfolk

/// A device that keeps a copy of a zone, or of the list of zones, and follows the changes with a token.
struct ModelReader {
    var token: ServerChangeToken?
    /// What the token stands for.
    var position: ModelPosition?
    /// The copy of a zone.
    var records: [String: Record] = [:]
    /// The copy of the names of the zones of a database.
    var zones: Set<String> = []
}
