import Foundation

/// Tries to break each promise, prints the results, and fails if a promise is broken.
///
///     kinfolk-attack [--short] [experiment…]
@main
enum KinfolkAttack {
    private static let experiments: [any Experiment] = [
        StolenDatabase(), Takeover(), Enumeration(), WhoIsThere(), Linking(), Revocation(),
        DeletedContainer(),
        PrivateBook(),
        PrivatePeople(), PrivateEpochs(), PrivatePermits(), PrivateWork(), OneKeyForAll(), LeakedKey(), Parsing(),
        Labels(), OthersRecords(), GrantedRecords(), ChangeTokens(), ReferringRecords(), StolenRecords(),
        QueryOracles(), IndexTheft(), StoredAssets(), SubscribedRecords(), KeysAndDocuments(), LongLists(),
    ]

    static func main() {
        var arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == SecondProcess.flag { exit(SecondProcess.play(arguments.dropFirst())) }
        let length: Length = arguments.contains("--short") ? .short : .long
        arguments.removeAll { $0 == "--short" }
        let unknown = arguments.filter { name in !experiments.contains { $0.name == name } }
        guard unknown.isEmpty else {
            let names = experiments.map(\.name).joined(separator: " ")
            FileHandle.standardError.write(Data("kinfolk-attack [--short] [experiment…]: \(names)\n".utf8))
            exit(64)
        }
        ScratchSpace.chooseMemory()
        let chosen = experiments.filter { arguments.isEmpty || arguments.contains($0.name) }
        exit(run(chosen, length) ? 0 : 1)
    }

    /// Whether all promises held.
    private static func run(_ experiments: [any Experiment], _ length: Length) -> Bool {
        let table = FindingTable()
        var broken = 0
        let stopwatch = Stopwatch()
        table.printHead()
        for experiment in experiments {
            let findings: [Finding]
            do {
                findings = try experiment.run(length)
            } catch {
                findings = [Finding("the whole experiment", "it could not be run: \(error)", isHeld: false)]
            }
            broken += findings.count { !$0.isHeld }
            table.print(experiment.promise, findings)
        }
        let outcome = broken == 0 ? "Every promise held." : "BROKEN: \(broken)."
        print("\(outcome) \(Int(stopwatch.seconds.rounded())) s")
        return broken == 0
    }
}
