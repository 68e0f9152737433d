import Foundation
import Kinfolk
import KinfolkModel

/// Every call that reads or names an asset, made by one session.
struct AssetCalls {
    /// How many calls gave the session the asset, or let a record name it.
    private(set) var successes = 0
    /// What the calls returned.
    private(set) var answers: [String] = []

    private let database: Database
    /// A record of the session's own, in each zone.
    private let own: [String: Record]
    private let path: String

    /// - Parameter folder: The place of files that calls make.
    init(_ database: Database, folder: String) {
        self.database = database
        path = "\(folder)/stolen"
        var own: [String: Record] = [:]
        for zone in [RecordID.defaultZone, AssetScene.zone] {
            if zone != RecordID.defaultZone { _ = try? database.save(RecordZone(zone)) }
            guard let record = try? AssetScene.record([], zone: zone) else { continue }
            own[zone] = try? database.save(record)
        }
        self.own = own
    }

    mutating func run(_ asset: Asset) {
        let (database, path) = (database, path)
        note { _ = try database.reader(of: asset) }
        note { _ = try database.reader(of: asset).read(at: 0, count: 1) }
        note { try database.save(asset, to: path) }
        // Also in zones to which it does not belong.
        for (zone, record) in own.sorted(by: { $0.key < $1.key }) {
            for type in ["Note", "Draft", "Form"] {
                note { _ = try database.save(AssetScene.record([asset], type: type, zone: zone)) }
            }
            note { _ = try database.save(AssetScene.record([asset, asset], zone: zone)) }
            var changed = record
            do { try changed.set("file", to: .asset(asset)) } catch { continue }
            for policy in SavePolicy.allCases { note { _ = try database.save(changed, policy: policy) } }
            let operations: [RecordOperation] = [
                .update(changed), .replace(changed), .forceUpdate(changed), .forceReplace(changed),
            ]
            for operation in operations {
                for isAtomic in [false, true] {
                    note { for result in try database.run([operation], atomically: isAtomic) { _ = try result.get() } }
                }
            }
        }
    }

    private mutating func note(_ call: () throws -> Void) {
        do {
            try call()
            successes += 1
            answers.append("success")
        } catch { answers.append((error as? KinfolkError)?.shown ?? "\(error)") }
    }
}

extension Asset {
    /// The same asset with other values.
    func forged() -> [Asset] {
        let other = sha256.map { $0 ^ 1 }
        var forged = [
            Asset(id: id, zone: zone, size: size + 1, sha256: sha256),
            Asset(id: id, zone: zone, size: 0, sha256: sha256),
            Asset(id: id, zone: zone, size: .max, sha256: sha256), Asset(id: id, zone: zone, size: size, sha256: other),
            Asset(id: id, zone: "Other", size: size, sha256: sha256),
            Asset(id: id.opposite, zone: zone, size: size, sha256: sha256),
            Asset(id: .make(), zone: zone, size: size, sha256: sha256),
        ]
        let swapped = zone == RecordID.defaultZone ? AssetScene.zone : RecordID.defaultZone
        forged.append(Asset(id: id, zone: swapped, size: size, sha256: sha256))
        let zeros = [UInt8](repeating: 0, count: sha256.count)
        for size in [.max, size] { forged.append(Asset(id: id, zone: zone, size: size, sha256: zeros)) }
        return forged
    }
}
