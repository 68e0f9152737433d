import Foundation
import Kinfolk
import KinfolkCrypto
import KinfolkStorage
import TestSupport

/// After a rotation, a thief who has the old service key and old copies of the store cannot test addresses against the store.
struct LeakedKey: Experiment {
    let name = "leaked-key"
    let promise = "old key"

    private static let people = 0..<300
    private static let newcomers = 300..<400

    /// A store, and a thief who has its key file and a copy.
    private struct Theft {
        let store: AttackedStore
        let keyFile: String
        /// The epoch keys in all copies that the old key opens.
        var keys: [OPRFKey] = []

        init() throws {
            store = try AttackedStore()
            try store.container.setDirectoryModes([.hashed, .private])
            try store.importPeople(LeakedKey.people) { _ in true }
            _ = try store.container.renewPrivateKey()
            keyFile = store.folder.file("stolen.key")
            try FileManager.default.copyItem(atPath: store.folder.file("kinfolk.key"), toPath: keyFile)
        }

        /// Copies the store, and takes the keys out of the copy if the old key opens it.
        mutating func copy(_ name: String) throws -> Bool {
            let path = store.folder.file(name)
            try store.service.backUp(to: path)
            guard let service = try? Service.open(path, key: .file(keyFile)) else { return false }
            let container = try service.container(AttackedStore.containerName)
            for epoch in try container.privateEpochs() where epoch.isComplete {
                keys.append(try container.privateKey(ofEpoch: epoch.number))
            }
            return true
        }

        /// How many people's addresses the thief can confirm in the current store.
        func confirmed(_ people: Range<Int>) throws -> Int {
            let tags = Set(
                try store.service.read { db in
                    try db.all("SELECT tag FROM private_directory") {
                        $0.bytes(0).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                    }
                }
            )
            var found: Set<Int> = []
            for key in keys {
                for (person, tag) in zip(people, try Guesser(key).tags(ofPeople: Array(people)))
                where tags.contains(tag) {
                    found.insert(person)
                }
            }
            return found.count
        }
    }

    func run(_ length: Length) throws -> [Finding] { [try planned(), try leaked()] + (try whileItRuns()) }

    private func planned() throws -> Finding {
        var theft = try Theft()
        guard try theft.copy("old.db") else { throw ExperimentFailure("the key does not open the copy") }
        let before = try theft.confirmed(LeakedKey.people)
        guard before == LeakedKey.people.count else {
            throw ExperimentFailure("the stolen key confirmed \(before) people")
        }
        let epochs = try theft.store.service.rotateKeys().privateEpochs
        try theft.store.container.endPrivateEpochs(before: epochs[0].number)
        try theft.store.importPeople(LeakedKey.newcomers) { _ in true }
        let after = try theft.confirmed(LeakedKey.people.lowerBound..<LeakedKey.newcomers.upperBound)
        return Finding(
            "the old key and an old copy, after a planned rotation and the end of the old epochs",
            "\(after) of \(LeakedKey.newcomers.upperBound) addresses confirmed, newcomers included (before it \(before))",
            isHeld: after == 0
        )
    }

    private func leaked() throws -> Finding {
        var theft = try Theft()
        guard try theft.copy("old.db") else { throw ExperimentFailure("the key does not open the copy") }
        let before = try theft.confirmed(LeakedKey.people)
        _ = try theft.store.service.rotateKeys(isLeaked: true)
        try theft.store.importPeople(LeakedKey.newcomers) { _ in true }
        let after = try theft.confirmed(LeakedKey.people.lowerBound..<LeakedKey.newcomers.upperBound)
        return Finding(
            "the same after a rotation because of a leak",
            "\(after) of \(LeakedKey.newcomers.upperBound) addresses confirmed, newcomers included (before it \(before))",
            isHeld: after == 0 && before == LeakedKey.people.count
        )
    }

    /// Copies that are taken while keys are rotated.
    private func whileItRuns() throws -> [Finding] {
        try [true, false].map { isLeaked in
            var theft = try Theft()
            _ = try theft.copy("old.db")
            _ = try theft.store.service.beginRotation(to: nil, isLeaked: isLeaked)
            _ = try theft.store.service.rotateBatch()
            let opened = try theft.copy("during.db")
            try theft.store.importPeople(LeakedKey.newcomers) { _ in true }
            let newcomers = try theft.confirmed(LeakedKey.newcomers)
            let rotation = try theft.store.service.rotateKeys()
            for epoch in rotation.privateEpochs where !isLeaked {
                try theft.store.container.endPrivateEpochs(before: epoch.number)
            }
            let after = try theft.confirmed(LeakedKey.people.lowerBound..<LeakedKey.newcomers.upperBound)
            guard isLeaked else {
                return Finding(
                    "not promised: a copy that is taken during a planned rotation",
                    "the old key \(opened ? "opens it" : "does not open it"); \(newcomers) of "
                        + "\(LeakedKey.newcomers.count) newcomers confirmed before its end, \(after) people after it",
                    isHeld: true
                )
            }
            return Finding(
                "a copy taken during a rotation because of a leak",
                "the old key \(opened ? "opens it" : "does not open it"); \(newcomers) of "
                    + "\(LeakedKey.newcomers.count) newcomers confirmed before its end, \(after) people after it",
                isHeld: !opened && newcomers == 0 && after == 0
            )
        }
    }
}
