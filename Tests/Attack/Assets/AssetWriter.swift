import Kinfolk
import KinfolkModel
import TestSupport

/// Uploads, saves, replaces, deletes and cancels as fast as it can, in one process, and goes on when a quota refuses something.
struct AssetWriter: Sendable {
    static let part = "asset-writer"

    struct Tally: Sendable {
        var done = 0
        var refused = 0
        /// Refused calls that deleted or only made something smaller.
        var refusedDeletions = 0
        var failures: [String] = []

        var line: String { "\(done) \(refused) \(refusedDeletions) \(failures.first ?? "")" }

        init() {}

        init?(line: String) {
            let words = line.split(separator: " ", maxSplits: 3)
            let numbers = words.prefix(3).compactMap { Int($0) }
            guard numbers.count == 3 else { return nil }
            (done, refused, refusedDeletions) = (numbers[0], numbers[1], numbers[2])
            failures = words.count > 3 ? [String(words[3])] : []
        }
    }

    private let session: Session
    private let seed: UInt64

    init(_ service: Service, _ account: AccountID, seed: UInt64) throws {
        session = try service.container(AttackedStore.containerName).session(for: service.account(account))
        self.seed = seed
    }

    /// The second process.
    static func play(_ arguments: [String]) throws {
        guard arguments.count == 4, let rounds = Int(arguments[2]), let seed = UInt64(arguments[3]) else {
            throw ExperimentFailure("arguments are missing")
        }
        let service = try Service.open(arguments[0], existingOnly: true)
        print(try AssetWriter(service, AccountID(arguments[1]), seed: seed).run(rounds).line)
    }

    func run(_ rounds: Int) throws -> Tally {
        var tally = Tally()
        var generator = SeededGenerator(seed: seed)
        var kept: [(record: Record, database: Database)] = []
        for round in 0..<rounds {
            let database = Bool.random(using: &generator) ? session.publicDatabase : session.privateDatabase
            let zone = database.scope == .private && round % 3 == 0 ? AssetScene.zone : RecordID.defaultZone
            let size =
                Int.random(in: 0...9, using: &generator) == 0 ? 1_200_000 : .random(in: 0...200_000, using: &generator)
            var isDeletion = false
            do throws(KinfolkError) {
                switch Int.random(in: 0..<8, using: &generator) {
                case 0...2:
                    let asset = try database.upload([UInt8](repeating: 7, count: size), zone: zone)
                    kept.append((try database.save(AssetWriter.record([asset], zone)), database))
                case 3:
                    let upload = try database.beginUpload(zone: zone)
                    try upload.write([UInt8](repeating: 7, count: size))
                    if round.isMultiple(of: 2) { upload.cancel() } else { _ = try upload.finish() }
                case 4:
                    guard let index = kept.indices.randomElement(using: &generator) else { continue }
                    let (record, database) = kept[index]
                    let asset = try database.upload([UInt8](repeating: 7, count: size / 2), zone: record.id.zone)
                    var changed = record
                    try changed.set("file", to: .asset(asset))
                    kept[index].record = try database.save(changed)
                default:
                    guard let index = kept.indices.randomElement(using: &generator) else { continue }
                    isDeletion = true
                    let (record, database) = kept[index]
                    if round.isMultiple(of: 4), record["file"] != nil {
                        var changed = record
                        try changed.remove("file")
                        kept[index].record = try database.save(changed)
                    } else {
                        kept.remove(at: index)
                        try database.delete(record.id)
                    }
                }
                tally.done += 1
            } catch {
                if error.code == .quotaExceeded { tally.refused += 1 } else { tally.failures.append(error.shown) }
                if isDeletion { tally.refusedDeletions += 1 }
            }
        }
        for (record, database) in kept where seed.isMultiple(of: 2) {
            if (try? database.delete(record.id)) == nil { tally.refusedDeletions += 1 }
        }
        return tally
    }

    private static func record(_ assets: [Asset], _ zone: String) throws(KinfolkError) -> Record {
        do { return try AssetScene.record(assets, zone: zone) } catch { throw KinfolkError(error) }
    }
}
