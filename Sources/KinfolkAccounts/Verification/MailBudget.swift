import KinfolkCrypto
package import KinfolkModel

/// The mails sent to an address in the last 24 hours, whoever requested them, and the passes in these mails.
///
/// It is stored by address, independent of accounts (``AddressHistory``), so erasing an account or rotating the keys does not
/// reset it.
package struct MailBudget {
    /// How many mails an address gets in 24 hours, not counting mails for a pass.
    package static let limit = 5
    package static let day = 86_400.0

    private var mails: [Timestamp] = []
    private var passes: [(tag: [UInt8], issuedAt: Timestamp)] = []
    private let now: Timestamp

    /// - Parameter bytes: An earlier value of ``bytes``; nil for an address without a history.
    package init(_ bytes: [UInt8]?, at now: Timestamp) {
        self.now = now
        var rest = (bytes ?? [])[...]
        for _ in 0..<Int(rest.popFirst() ?? 0) {
            guard let moment = MailBudget.moment(&rest) else { return }
            mails.append(moment)
        }
        while rest.count >= Tag.length {
            let tag = Array(rest.prefix(Tag.length))
            rest = rest.dropFirst(Tag.length)
            guard let moment = MailBudget.moment(&rest) else { return }
            passes.append((tag, moment))
        }
        // A time set by a clock that was ahead becomes `now`, so that nothing lasts longer.
        mails = mails.map { min($0, now) }.filter { now.seconds(since: $0) < MailBudget.day }
        passes = passes.map { ($0.tag, min($0.issuedAt, now)) }
            .filter { now.seconds(since: $0.issuedAt) < MailBudget.day }
    }

    package var bytes: [UInt8] {
        // Both counts are small: five mails, and a pass for each of them.
        [UInt8(truncatingIfNeeded: mails.count)] + mails.flatMap(MailBudget.bytes)
            + passes.flatMap { $0.tag + MailBudget.bytes($0.issuedAt) }
    }

    /// Whether a mail may be sent without a pass.
    var hasRoom: Bool { mails.count < MailBudget.limit }

    /// How many passes may still be presented.
    var passCount: Int { passes.count }

    /// Takes back a pass that was issued, under any key. False if there is no such pass.
    mutating func redeem(_ tags: [[UInt8]]) -> Bool {
        // Compares with all passes and keys, so that the time does not reveal which one matches.
        let matches = passes.map { pass in tags.map { ConstantTime.equal($0, pass.tag) }.contains(true) }
        guard let index = matches.firstIndex(of: true) else { return false }
        passes.remove(at: index)
        return true
    }

    /// Records a mail and the pass in it.
    package mutating func spend(isFree: Bool, pass: [UInt8]) {
        if !isFree { mails.append(now) }
        passes.append((pass, now))
    }

    private static func bytes(_ moment: Timestamp) -> [UInt8] {
        withUnsafeBytes(of: moment.microseconds.bigEndian, Array.init)
    }

    private static func moment(_ bytes: inout ArraySlice<UInt8>) -> Timestamp? {
        guard bytes.count >= 8 else { return nil }
        defer { bytes = bytes.dropFirst(8) }
        return Timestamp(microseconds: Int64(bitPattern: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }))
    }
}
