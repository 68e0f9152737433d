/// What a grant allows.
enum ModelPermission: String, CaseIterable {
    case read = "READ"
    case create = "CREATE"
    case write = "WRITE"
}
