package import KinfolkModel

/// Identifies a limit: the account, the container and the kind.
package struct LimitHolder: Hashable {
    package let account: AccountID
    package let container: Int64
    package let kind: LimitKind
}
