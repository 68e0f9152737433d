/// Identifies a limit: the account, the container and the kind.
struct LimitHolder: Hashable {
    let account: AccountID
    let container: Int64
    let kind: LimitKind
}
