package import KinfolkCore
package import KinfolkModel
package import KinfolkStorage

/// Brings accounts under the newest keys, many in one transaction: the tables that are rotated with their account.
///
/// All rows are read first, then computed in memory, then written table by table, in the order of its key. So a page of a table is
/// visited once for all of its rows.
package struct AccountRotation {
    private let service: Service
    private let keys: KeyRing
    private let db: Connection
    /// The new IDs of the wordings that this transaction has sealed again. A wording is shown to many people.
    private var wordings: [Wording: [UInt8]] = [:]

    private struct Wording: Hashable {
        let container: Int64
        let id: [UInt8]
    }

    private typealias Decision = (account: AccountID, decision: ConsentTable.Last)

    package init(_ service: Service, _ db: Connection) throws {
        self.service = service
        keys = try service.keys(db)
        self.db = db
    }

    /// Rotates accounts that follow each other in the order of their IDs.
    package mutating func rotate(_ ids: [AccountID]) throws {
        guard let first = ids.first, let last = ids.last else { return }
        let all = try ConsentTable.all(from: first, through: last, db)
        let claimants = try ClaimTable.claimants(from: first, through: last, db)
        let holders = try LimitTable.holders(from: first, through: last, db)
        try service.changing(ids, db) { accounts in
            var moves: [EmailTable.Move] = []
            var decisions: [Decision] = []
            for index in accounts.indices {
                let renewed = try renew(all[accounts[index].account.id] ?? [], of: accounts[index])
                moves += try renew(&accounts[index])
                for row in renewed { accounts[index].decisions[row.decision.container] = row.decision }
                decisions += renewed
            }
            try AccountTable.setNames(accounts.lazy.map { (id: $0.account.id, sealed: $0.account.sealedName) }, db)
            try EmailTable.move(moves, db)
            try VerificationTable.move(moves.lazy.filter { $0.from.tag != $0.to.tag }, db)
            try UserTable.setCodes(accounts.lazy.flatMap(\.users), db)
            try ConsentTable.set(decisions, db)
        }
        for (wording, id) in wordings where wording.id != id {
            try ConsentTable.deleteUnlessShown(wording.id, in: wording.container, db)
        }
        for id in claimants { try Claims.reseal(of: id, keys, db) }
        for id in holders { try LimitTable.renewCodes(of: id, keys, db) }
    }

    /// Renews the name, the addresses and the users of an account, in memory.
    private func renew(_ rows: inout AccountRows) throws -> [EmailTable.Move] {
        rows.account.sealedName = try AccountTable.sealed(rows.account.name(with: keys), of: rows.account.id, keys)
        rows.users = rows.users.map { $0.renewed(with: keys) }
        let addresses = try rows.emails.map { try rows.address(of: $0, with: keys) }
        let moves = try zip(rows.emails, addresses).map { row, address in
            EmailTable.Move(from: row, to: try EmailTable.renewed(row, address, keys))
        }
        rows.replace(zip(moves, addresses).map { ($0.to, $1) })
        return moves
    }

    /// The decisions with the new IDs of their wordings and with new chains.
    private mutating func renew(_ decisions: [ConsentTable.Last], of rows: AccountRows) throws -> [Decision] {
        var last: ConsentTable.Last?
        return try decisions.filter { rows.record(in: $0.container) != nil }.map { decision in
            // The chains are computed again, so the existing ones are verified first.
            guard decision.isChained || decision.followsDeleted else { throw AccountRows.changed }
            let wording = try newID(of: Wording(container: decision.container, id: decision.wording))
            let before = last?.container == decision.container ? last?.chain : nil
            let renewed = decision.with(wording: wording, after: before)
            last = renewed
            return (rows.account.id, renewed)
        }
    }

    private mutating func newID(of wording: Wording) throws -> [UInt8] {
        if let known = wordings[wording] { return known }
        let keys = try keys.container(wording.container, db)
        let id = try ConsentTable.reseal(wording.id, in: wording.container, keys, db)
        wordings[wording] = id
        return id
    }
}
