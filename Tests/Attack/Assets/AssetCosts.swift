import Foundation
import Kinfolk
import KinfolkModel
import KinfolkRecords
import KinfolkStorage
import TestSupport

/// What the most expensive calls cost that a caller can make, and values at the ends of their ranges.
struct AssetCosts {
    private let records: Int

    init(records: Int) { self.records = records }

    func findings() throws -> [Finding] { try [lists(), readers(), ends()] }

    /// A record with many assets is saved, changed and deleted.
    private func lists() throws -> Finding {
        let scene = try AssetScene()
        let database = scene.owner.privateDatabase
        // While statements are counted, no other thread may use the store.
        scene.store.service.sweeper.stop()
        func measured(_ count: Int) throws -> (seconds: Double, statements: Int) {
            let assets = try (0..<count).map { _ in try database.upload([1]) }
            let clock = Stopwatch()
            let (_, work) = try scene.store.service.store.tracing {
                var record = try database.save(AssetScene.record(assets + assets))
                try record.set("title", to: .string("changed"))
                record = try database.save(record)
                try database.delete(record.id)
            }
            return (clock.seconds, work.count)
        }
        _ = try measured(10)
        let (few, many) = (try measured(200), try measured(1_000))
        try AssetScene.clean(scene.store.service)
        let left = try AssetScene.bytes(scene.store.service)
        let clock = Stopwatch()
        let forged = (0..<8_000).map { _ in
            Asset(id: .make(), zone: RecordID.defaultZone, size: 1, sha256: [UInt8](repeating: 0, count: 32))
        }
        let isRefused = (try? database.save(AssetScene.record(forged))) == nil
        return Finding(
            "a record with 1,000 assets, each named twice, is saved, changed and deleted; one with 8,000 forged assets is saved",
            "\((many.seconds * 1_000).rounded(to: 0)) ms and \(many.statements.grouped) statements, after "
                + "\(few.statements.grouped) for 200; refused after "
                + "\((clock.seconds * 1_000).rounded(to: 0)) ms",
            isHeld: many.statements < 6 * few.statements && left == AssetScene.Bytes() && isRefused
        )
    }

    /// One asset in many records. A reader who may read none of them, and one who may read the last one, ask for it.
    private func readers() throws -> Finding {
        let scene = try AssetScene()
        let store = scene.store
        try store.container.grantRole(AssetScene.role, to: scene.account)
        let database = scene.owner.publicDatabase
        let asset = try database.upload(AssetScene.content(300_000))
        let outsider = store.container.anonymousSession().publicDatabase
        var done = 0
        func measured(_ count: Int) throws -> (seconds: Double, opened: Int) {
            while done < count {
                let page = try (0..<min(200, count - done)).map { _ in
                    var record = try AssetScene.record([asset], type: "Draft")
                    try record.set("title", to: .string(String(repeating: "x", count: 2_000)))
                    return RecordOperation.create(record)
                }
                for result in try database.run(page) { _ = try result.get() }
                done += page.count
            }
            let clock = Stopwatch()
            let (refused, work) = store.service.store.tracing { (try? outsider.reader(of: asset)) == nil }
            guard refused else { throw ExperimentFailure("an outsider reads the asset") }
            return (clock.seconds, work.count)
        }
        _ = try measured(records / 4)
        let (few, many) = (try measured(records / 4), try measured(records))
        let last = try database.save(AssetScene.record([asset]))
        let clock = Stopwatch()
        let reader = try outsider.reader(of: asset)
        let opening = clock.seconds
        _ = try reader.read(at: 0, count: 300_000)
        try database.delete(last.id)
        return Finding(
            "an asset in \(records.grouped) records that an outsider may not read: the outsider asks for it, and reads it when one more "
                + "record can be read",
            "\((many.seconds * 1_000).rounded(to: 1)) ms and \(many.opened.grouped) statements, after "
                + "\(few.opened.grouped) for a quarter of them; "
                + "\((opening * 1_000).rounded(to: 1)) ms for each read",
            isHeld: many.opened < 5 * few.opened
        )
    }

    /// Values that no sensible caller passes.
    private func ends() throws -> Finding {
        let scene = try AssetScene()
        let database = scene.owner.privateDatabase
        let content = AssetScene.content(300_000)
        let asset = try database.upload(content)
        _ = try database.save(AssetScene.record([asset]))
        let reader = try database.reader(of: asset)
        var (calls, wrong) = (0, 0)
        let ends = [
            Int.min, Int.min + 1, -1, 0, 1, 262_143, 262_144, 299_999, 300_000, 300_001, .max - 262_144, .max - 1, .max,
        ]
        for offset in ends {
            for count in ends where count < 1 << 40 || offset >= 0 {
                calls += 1
                guard let bytes = try? reader.read(at: offset, count: count) else {
                    if offset >= 0, count >= 0 { wrong += 1 }
                    continue
                }
                if offset < 0 || count < 0 || bytes != Array(content.dropFirst(min(offset, 300_000)).prefix(count)) {
                    wrong += 1
                }
            }
        }
        for quota in [0, 1, Int.max - 1, Int.max] {
            for kind in Quota.allCases {
                calls += 1
                try scene.store.container.setQuota(kind, to: quota)
                _ = try? database.upload([1])
                _ = try? scene.owner.publicDatabase.upload([1])
                _ = try? scene.owner.publicDatabase.save(AssetScene.record([]))
                try scene.store.container.setQuota(kind, to: nil)
            }
        }
        let folder = scene.store.folder
        let paths = [
            "", "\0", "/", ".", "..", "/dev/null", "/dev/full", "/proc/self/mem", folder.path, "\(folder.path)/",
            folder.file("none/file"), folder.file("file/"), folder.file(String(repeating: "n", count: 300)),
            folder.file("link"),
            folder.file("fifo"), String(repeating: "/a", count: 5_000),
        ]
        symlink("/etc/passwd", folder.file("link"))
        mkfifo(folder.file("fifo"), 0o600)
        for path in paths {
            calls += 2
            if (try? database.save(asset, to: path)) != nil { wrong += 1 }
            // A link leads to a regular file, which may be read.
            if path != folder.file("link"), (try? database.upload(file: path)) != nil { wrong += 1 }
        }
        let drafts = try folder.names().count { $0.hasSuffix(".part") }
        return Finding(
            "offsets, counts and quotas at the ends of their ranges; paths of folders, devices, links and pipes",
            "\(wrong) of \(calls) calls answered wrongly, \(drafts) files left",
            isHeld: wrong == 0 && drafts == 0
        )
    }
}
