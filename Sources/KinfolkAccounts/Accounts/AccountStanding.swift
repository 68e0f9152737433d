package import KinfolkCore
package import KinfolkCrypto
package import KinfolkModel
package import KinfolkStorage

/// The status of an account, the digest of all its other rows, and the code that authenticates both.
package struct AccountStanding: Equatable {
    package let id: AccountID
    /// As stored: 0 if the account is not suspended.
    package var suspension: Int64
    /// Increases with every change of an authenticated row of the account.
    package var revision: Int64
    /// The digest of those rows: ``AccountRows/digest``.
    package var digest: Tag
    package var mac: Tag

    package init(id: AccountID, suspension: Int64 = 0, revision: Int64, digest: Tag) {
        self.id = id
        self.suspension = suspension
        self.revision = revision
        self.digest = digest
        mac = Tag()
    }

    /// - Parameter row: A row whose first columns are `account_id`, `is_suspended`, `revision`, `digest` and `mac`.
    package init(_ row: any Statement) throws {
        guard let id = row.withBytes(0, RandomID.init(bytes:)), let digest = row.withBytes(3, Tag.init),
            let mac = row.withBytes(4, Tag.init)
        else { throw AccountRows.changed }
        self.id = AccountID(id)
        suspension = row.integer(1)
        revision = row.integer(2)
        self.digest = digest
        self.mac = mac
    }

    package var isSuspended: Bool { suspension != 0 }

    package mutating func authenticate(with keys: KeyRing) { mac = keys.authenticationCode(of: message) }

    package func isAuthentic(with keys: KeyRing) -> Bool { keys.isAuthentic(mac, of: message) }

    private var message: [UInt8] {
        var encoding = RowEncoding("accounts", capacity: 64)
        encoding.append(id.value)
        encoding.append(suspension)
        encoding.append(revision)
        encoding.append(digest)
        return encoding.bytes
    }
}
