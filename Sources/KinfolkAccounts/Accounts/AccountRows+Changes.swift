package import KinfolkCore
import KinfolkCrypto
package import KinfolkModel
package import KinfolkStorage

/// Changes of an account's rows, in the store and in memory, so that nothing has to be read again after a change. They are made
/// inside ``Service/changing(_:known:allowsDamage:_:_:)``.
extension AccountRows {
    package mutating func setName(_ name: PersonName, _ keys: KeyRing, _ db: Connection) throws {
        account.sealedName = try AccountTable.setName(account.id, name, keys, db)
    }

    package mutating func setSuspended(_ isSuspended: Bool, _ db: Connection) throws {
        try AccountTable.setSuspended(account.id, isSuspended, db)
        account.standing.suspension = isSuspended ? 1 : 0
    }

    // MARK: Addresses

    /// The address with one of these tags.
    ///
    /// - Throws: ``KinfolkError/Code/unknownItem`` if the account does not have it.
    func email(_ tags: [Tag]) throws -> EmailTable.Row {
        guard let row = emails.first(where: { tags.contains($0.tag) }) else {
            throw KinfolkError(.unknownItem, "The account does not have this address.")
        }
        return row
    }

    mutating func insert(
        _ address: EmailTable.Address,
        tag: Tag,
        at now: Timestamp,
        _ keys: KeyRing,
        _ db: Connection
    ) throws {
        // The addresses are in the order of their numbers.
        let (number, isOver) = (emails.last?.number ?? 0).addingReportingOverflow(1)
        guard !isOver, number > 0 else { throw AccountRows.changed }
        let row = try EmailTable.newRow(address, tag: tag, number: number, of: account.id, at: now, keys)
        try EmailTable.insert([row], db)
        emails.append(row)
    }

    /// Deletes an address and the claims on it. `tags` are all tags that it may have.
    mutating func delete(_ email: EmailTable.Row, _ tags: [Tag], _ db: Connection) throws {
        try EmailTable.delete(email.tag, tags, of: account.id, db)
        emails.removeAll { $0.tag == email.tag }
    }

    mutating func setVerified(_ tag: Tag, at now: Timestamp, _ db: Connection) throws {
        try EmailTable.setVerified(tag, of: account.id, at: now, db)
        for index in emails.indices where emails[index].tag == tag {
            emails[index].verifiedAt = now
            emails[index].owner = account.id
        }
    }

    mutating func setDiscoverable(_ tag: Tag, _ isDiscoverable: Bool, _ db: Connection) throws {
        try EmailTable.setDiscoverable(tag, of: account.id, isDiscoverable, db)
        for index in emails.indices where emails[index].tag == tag {
            emails[index].discoverability = isDiscoverable ? 1 : 0
        }
    }

    // MARK: Consent and blocks

    package mutating func insert(
        _ decision: Discoverability,
        wording: [UInt8],
        in container: Int64,
        at now: Timestamp,
        _ db: Connection
    ) throws {
        let last = try isDamaged ? ConsentTable.end(of: account.id, in: container, db) : decisions[container].map(\.end)
        let (number, isOver) = (last?.number ?? 0).addingReportingOverflow(1)
        guard !isOver, number > 0 else { throw AccountRows.changed }
        let row = ConsentTable.new(
            decision,
            number: number,
            after: last?.chain,
            wording: wording,
            in: container,
            at: now
        )
        try ConsentTable.insert([(account.id, row)], db)
        try ConsentTable.prune(before: row, of: account.id, db)
        decisions[container] = row
    }

    package mutating func insertBlock(
        _ blocked: UserRecordID,
        by record: UserRecordID,
        isOperators: Bool,
        in container: Int64,
        _ db: Connection
    ) throws {
        try BlockTable.insert(blocked, by: record, isOperators: isOperators, in: container, db)
        var rows = blocks[container] ?? []
        guard !rows.contains(where: { $0.blocked == blocked && ($0.isOperators != 0) == isOperators }) else { return }
        rows.append(BlockTable.Row(container: container, blocked: blocked, isOperators: isOperators ? 1 : 0))
        rows.sort { ($0.blocked.value, $0.isOperators) < ($1.blocked.value, $1.isOperators) }
        blocks[container] = rows
    }

    /// Deletes a block. Returns whether it existed.
    package mutating func deleteBlock(
        _ blocked: UserRecordID,
        by record: UserRecordID,
        isOperators: Bool,
        in container: Int64,
        _ db: Connection
    ) throws -> Bool {
        blocks[container]?.removeAll { $0.blocked == blocked && ($0.isOperators != 0) == isOperators }
        return try BlockTable.delete(blocked, by: record, isOperators: isOperators, in: container, db)
    }

    /// Deletes the blocks of `blocked` that the person made, or the operator for them.
    package mutating func deleteBlocks(
        of blocked: UserRecordID,
        by record: UserRecordID,
        in container: Int64,
        _ db: Connection
    ) throws {
        blocks[container]?.removeAll { $0.blocked == blocked }
        try BlockTable.deleteAll(of: blocked, by: record, in: container, db)
    }

    // MARK: Roles

    /// The roles in a container.
    package func roles(in container: Int64) -> RoleNames {
        users.first { $0.container == container }?.roles ?? RoleNames()
    }

    package mutating func set(_ roles: RoleNames, in container: Int64, _ db: Connection) throws {
        try UserTable.set(roles, of: account.id, in: container, db)
        for index in users.indices where users[index].container == container { users[index].roles = roles }
    }
}
