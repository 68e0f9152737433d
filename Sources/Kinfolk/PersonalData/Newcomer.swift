import KinfolkAccounts
import KinfolkContacts
import KinfolkCrypto
import KinfolkModel

/// A person to be created: everything that can be computed before the store is used.
struct Newcomer {
    let line: Int
    let name: PersonName
    let addresses: [EmailTable.Address]
    let discoverability: Discoverability

    /// Reads a row. An address that cannot be used is reported to `skip`, and the others are used; nil if no address is left.
    ///
    /// - Throws: Why the row cannot be used.
    init?(
        _ row: CSVRow,
        _ columns: PeopleColumns,
        skip: (PersonSkipReason) -> Void
    ) throws(PersonSkipReason) {
        if let fault = row.fault { throw .row(fault) }
        line = row.line
        name = columns.name(in: row)
        guard max(name.givenName.utf8.count, name.familyName.utf8.count) <= PersonName.maximumLength else {
            throw .nameTooLong
        }
        guard let decision = Newcomer.decision(columns.consent(in: row)) else { throw .unclearConsent }
        discoverability = decision
        var found: [EmailTable.Address] = []
        var refused = 0
        columns.withEmails(in: row) { cell in
            var start = 0
            // One more than the maximum is read, to detect that there are too many.
            while start < cell.count, found.count <= Account.maximumEmails {
                let end = Newcomer.endOfPart(in: cell, from: start)
                let text = AddressText(cell, start..<end)
                start = end + 3
                if text.address.isEmpty { continue }
                do throws(EmailFault) {
                    let hash = try text.hash(in: cell)
                    let bytes = hash.withUnsafeBytes { Array($0) }
                    ReadingSteps.take(found.count)
                    guard !found.contains(where: { $0.hash == bytes }) else { continue }
                    let spelling = cell.extracting(text.address).withUnsafeBufferPointer {
                        String(decoding: $0, as: UTF8.self)
                    }
                    found.append(EmailTable.Address(hash, spelling: spelling))
                } catch {
                    refused += 1
                    skip(.row(.address(error)))
                }
            }
        }
        addresses = found
        guard addresses.count <= Account.maximumEmails else { throw .tooManyAddresses }
        if addresses.isEmpty && refused == 0 { throw .noAddress }
        if addresses.isEmpty { return nil }
    }

    /// Where the next `:::` begins, or the end.
    private static func endOfPart(in cell: Span<UInt8>, from start: Int) -> Int {
        let colon = UInt8(ascii: ":")
        var index = start
        while index < cell.count {
            index = cell.firstIndex(of: colon, from: index)
            if index + 2 < cell.count, cell[index + 1] == colon, cell[index + 2] == colon { return index }
            index += 1
        }
        return cell.count
    }

    private static func decision(_ consent: String) -> Discoverability? {
        switch consent {
        case "yes", "true", "1", "granted": .granted
        case "no", "false", "0", "denied": .denied
        case "": .undetermined
        default: nil
        }
    }
}
