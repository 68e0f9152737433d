import Kinfolk
import KinfolkStorage
import TestSupport

/// A thief who has the database, but not the key, learns no address and no name, and cannot confirm a guessed one.
struct StolenDatabase: Experiment {
    let name = "stolen"
    let promise = "stolen database"

    /// The dictionary's other addresses are those of people from this number on.
    static let firstStranger = 1_000_000

    func run(_ length: Length) throws -> [Finding] {
        guard Digest.areRight else { throw ExperimentFailure("a hash function is wrong") }
        let populated = try PopulatedStore(people: 4_000)
        let folder = try TemporaryFolder()
        let guesses = try guesses(populated, strangers: length.choose(short: 7_000, long: 100_000))
        var loot = try Loot(populated.store.path, into: folder.path)
        let fileCount = loot.fileCount
        for state in populated.syncStates { loot.add(state) }
        let end = loot.bytes.count
        let planted = plant(in: &loot, guesses)
        let search = NeedleSearch(loot.bytes, for: guesses.forEach)
        let leaks = search.hits.filter { $0.offset < end }
        let seen = Set(search.hits.map(\.offset))
        guard planted.allSatisfy(seen.contains) else { throw ExperimentFailure("not all planted forms were found") }

        // The name of a container is not sealed. Finding it shows that the search finds readable text.
        let visible = NeedleSearch(loot.bytes) { $0(Array(AttackedStore.containerName.utf8), 0) }.hits.count
        guard visible > 0 else { throw ExperimentFailure("not even the containers' names were found") }
        let megabytes = (Double(fileCount) / 1_000_000).rounded(to: 0)
        return [
            recovered(leaks, guesses, search.needleCount),
            read(leaks, guesses, megabytes),
            Finding("\(planted.count) of these forms, planted in it", "all of them found", isHeld: true),
        ] + (try PrivateDirectoryThief(populated).findings()) + (try KeyThief(populated).findings())
    }

    private func recovered(_ leaks: [NeedleSearch.Hit], _ guesses: Guesses, _ forms: Int) -> Finding {
        let labels = Set(leaks.map(\.label)).filter { $0 < Guesses.textLabels }
        let words = guesses.known.count + guesses.others.count
        return Finding(
            "\(words.grouped) addresses guessed, \(guesses.known.count.grouped) of them right; "
                + "\((Double(forms) / 1_000_000).rounded(to: 1)) million hashes and encodings",
            "\(labels.count) addresses recovered" + example(labels.first.map { address($0, guesses) }),
            isHeld: labels.isEmpty
        )
    }

    private func read(_ leaks: [NeedleSearch.Hit], _ guesses: Guesses, _ megabytes: String) -> Finding {
        let labels = Set(leaks.map(\.label)).filter { $0 >= Guesses.textLabels }
        return Finding(
            "\(guesses.texts.count.grouped) names, wordings, fields, codes in \(megabytes) MB of files, in 48 forms each",
            "\(labels.count) read" + example(labels.first.map { guesses.texts[$0 - Guesses.textLabels] }),
            isHeld: labels.isEmpty
        )
    }

    private func example(_ text: String?) -> String { text.map { ", for example \($0)" } ?? "" }

    private func address(_ label: Int, _ guesses: Guesses) -> String {
        label < Guesses.otherLabels ? guesses.known[label].spelling : guesses.others[label - Guesses.otherLabels]
    }

    private func guesses(_ populated: PopulatedStore, strangers: Int) throws -> Guesses {
        let service = populated.store.service
        // Values that are the same for all addresses: the check value, sealed keys and names of containers.
        let common: [[UInt8]] = try service.read { db in
            try db.all("SELECT value FROM service") { $0.bytes(0) }
                + db.all("SELECT sealed_key FROM root_keys") { $0.bytes(0) }
                + db.all("SELECT sealed_key FROM container_keys") { $0.bytes(0) }
                + db.all("SELECT name FROM containers") { $0.bytes(0) }
                // An invented key.
                + [[UInt8](repeating: 0, count: 32)]
        }
        let known = try populated.addresses.map { spelling in
            let email = try EmailAddress(spelling)
            var salts = common
            // Erased and unverified addresses have no owner.
            if let account = try? service.account(email: email) {
                salts += [account.id.value.bytes, Array(account.id.description.utf8)]
                salts += try service.read { db in
                    try db.all(
                        "SELECT record_id FROM users WHERE account_id = $1",
                        .bytes(account.id.value.bytes)
                    ) { $0.bytes(0) }
                }
            }
            return Guesses.Known(spelling: spelling, canonical: email.canonical, salts: salts)
        }
        let others = (0..<strangers).map { offset in
            InventedPerson(StolenDatabase.firstStranger + offset).address.lowercased()
        }
        return Guesses(known: known, others: others, texts: populated.texts.sorted())
    }

    /// Appends some of the forms to the stolen bytes, to check that they are found. Returns their offsets.
    private func plant(in loot: inout Loot, _ guesses: Guesses) -> [Int] {
        var forms: [[UInt8]] = []
        let address = guesses.known[17]
        let contactHash = Digest.sha256.hash(Array(address.canonical.utf8))
        forms.append(Digest.blake2b(contactHash, key: [], count: 16))
        forms.append(Array(contactHash.prefix(16)))
        forms.append(Array(Hexadecimal.text(Digest.md5.hash(Array(address.spelling.utf8))).utf8))
        Encodings.forEach(of: Digest.sha1.hash(Array(guesses.others[99].utf8))) { forms.append($0) }
        Encodings.forEach(of: guesses.texts[7]) { forms.append($0) }
        forms.append(Digest.sha256.hash(address.salts[0] + Array(address.canonical.utf8)))
        return forms.map { form in
            let offset = loot.bytes.count
            loot.add(form)
            return offset
        }
    }
}
