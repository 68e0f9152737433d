import Glibc
import Kinfolk

/// An attacker who tests candidate addresses until the limit refuses more.
struct Asker {
    static let part = "ask"

    /// With more answers than this the promise is broken, so the attacker stops.
    private static let enough = 2 * Int(PermitLimit.standard.capacity)

    private var candidates: Candidates
    private let limit = PermitLimit.standard

    /// Askers with different seeds have different candidates.
    init(seed: UInt64) { candidates = Candidates(seed: seed) }

    /// Asks with contact books until not even one more contact is answered. Returns how many were answered.
    ///
    /// - Parameter rest: How many permits to leave unused, each time that a refusal tells how many there are.
    mutating func exhaust(_ session: Session, leaving rest: Int = 0) throws -> Int {
        var answered = 0
        var size = Int(limit.capacity) - rest
        while size >= 1, answered <= Asker.enough {
            let book = try candidates.book(size)
            do {
                _ = try session.discover(book)
                answered += size
            } catch {
                guard error.code == .requestRateLimited else { throw error }
                // The refusal says how long to wait. From that follows how many permits are left.
                let missing = (error.retryAfter ?? 0) / 3_600 * limit.perHour
                let left = size - Int(missing.rounded(.up))
                size = (1..<size).contains(left - rest) ? left - rest : size / 2
            }
        }
        return answered
    }

    /// The same with one address at a time.
    mutating func exhaustOneByOne(_ session: Session) throws -> Int {
        try askOneByOne(session, atMost: Asker.enough + 1)
    }

    /// Asks about one address at a time, until one is refused, and returns how many were answered.
    mutating func askOneByOne(_ session: Session, atMost limit: Int) throws -> Int {
        var answered = 0
        while answered < limit {
            do {
                _ = try session.discover(candidates.address())
                answered += 1
            } catch let error as KinfolkError where error.code == .requestRateLimited { break }
        }
        return answered
    }

    /// Asks about one book, and returns whether it was answered.
    mutating func ask(_ session: Session, count: Int, syncState: [UInt8] = []) throws -> Bool {
        do {
            _ = try session.discover(candidates.book(count), syncState: syncState)
            return true
        } catch let error as KinfolkError where error.code == .requestRateLimited { return false }
    }

    /// Runs in a second process: asks with small books, writes a line for each that was answered, and `end` when none is.
    static func play(_ arguments: [String]) throws {
        guard arguments.count == 4, let seed = UInt64(arguments[2]), let size = Int(arguments[3]) else { exit(64) }
        let service = try Service.open(arguments[0], existingOnly: true)
        let account = try service.account(AccountID(arguments[1]))
        let session = try service.container(AttackedStore.containerName).session(for: account)
        var asker = Asker(seed: seed)
        var answered = 0
        while answered <= Asker.enough, try asker.ask(session, count: size) {
            answered += size
            print(size)
            fflush(nil)
        }
        print("end")
    }
}
