import KinfolkCore
import KinfolkCrypto

/// The addresses of an account that a transaction has unsealed, so that each is unsealed once.
final class OpenedAddresses {
    private var known: [Tag: (sealed: [UInt8], address: EmailTable.Address)] = [:]

    func address(of row: EmailTable.Row, with keys: KeyRing) throws -> EmailTable.Address {
        if let (sealed, address) = known[row.tag], sealed == row.sealedAddress { return address }
        let address = try row.open(with: keys)
        note(address, of: row)
        return address
    }

    func note(_ address: EmailTable.Address, of row: EmailTable.Row) { known[row.tag] = (row.sealedAddress, address) }
}
