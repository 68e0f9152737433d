import Glibc
import Kinfolk

/// An attacker who has points evaluated until the limit refuses more, and counts them.
struct PointAsker {
    static let part = "points"
    private static let sizes = [4_096, 1_024, 256, 64]
    /// With more answers than this the promise is broken, so the attacker stops.
    private static let enough = 4 * Int(PrivatePermits.limit.capacity)

    /// In each epoch.
    private(set) var evaluated: [UInt32: Int] = [:]

    /// Asks once, and says whether it was answered.
    @discardableResult
    mutating func ask(_ session: Session, epoch: UInt32, count: Int) throws -> Bool {
        let request = try PointRequest(epoch: epoch, count: count).message
        do {
            _ = try session.answer(request)
            evaluated[epoch, default: 0] += count
            return true
        } catch {
            switch error.code {
            // More than the account can ever have, or than it has now, or than a concurrent request left.
            case .limitExceeded, .requestRateLimited: return false
            default: throw error
            }
        }
    }

    /// Asks until no epoch answers any more. Returns how many points were answered.
    @discardableResult
    mutating func exhaust(_ session: Session, epochs: [UInt32]) throws -> Int {
        var count = 0
        for epoch in epochs {
            for size in PointAsker.sizes {
                while count < PointAsker.enough, try ask(session, epoch: epoch, count: size) { count += size }
            }
        }
        return count
    }

    mutating func add(_ other: PointAsker) { evaluated.merge(other.evaluated, uniquingKeysWith: +) }

    /// Runs in a second process: asks in both epochs by turns, writes a line for each answer, and `end` when there is none.
    static func play(_ arguments: [String]) throws {
        guard arguments.count == 2 else { exit(64) }
        let service = try Service.open(arguments[0], existingOnly: true)
        let account = try service.account(AccountID(arguments[1]))
        let session = try service.container(AttackedStore.containerName).session(for: account)
        var asker = PointAsker()
        var refusals = 0
        var epoch: UInt32 = 1
        while refusals < 2 {
            if try asker.ask(session, epoch: epoch, count: 64) {
                refusals = 0
                print(epoch)
                fflush(nil)
            } else {
                refusals += 1
            }
            epoch = 3 - epoch
        }
        print("end")
    }
}
