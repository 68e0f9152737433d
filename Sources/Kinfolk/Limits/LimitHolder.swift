/// Whose limit it is, where, and of what.
struct LimitHolder: Hashable {
    let account: AccountID
    let container: Int64
    let kind: LimitKind
}
