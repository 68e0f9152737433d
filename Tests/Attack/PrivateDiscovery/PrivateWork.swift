import Kinfolk
import KinfolkCrypto

/// One account costs a server no more work a day than the limits allow, also with requests that are refused.
struct PrivateWork: Experiment {
    let name = "private-work"
    let promise = "private work"

    func run(_ length: Length) throws -> [Finding] {
        let directory = try LargeDirectory(length)
        let container = directory.store.container
        // A container's default limit; in the short form a tenth of its rows.
        try container.setPermitLimit(.standard)
        let rows = length.choose(short: 800_000, long: 8_000_000)
        try container.setPrivateWorkLimit(PrivateWorkLimit(rowsPerDay: UInt64(rows)))
        try container.setPrefixBits(0)
        var findings = [
            try wholeDirectory(directory, rows, isKnown: false), try wholeDirectory(directory, rows, isKnown: true),
        ]
        findings.append(try refusedBatches(directory))
        findings.append(try comingBack(directory, rows))
        return findings
    }

    /// Asks until nothing is answered, and again after each hour of a day. Returns the number of answers.
    private func requests(_ store: AttackedStore, _ request: () throws -> Bool) throws -> Int {
        var requests = 0
        for hour in 0...24 {
            if hour > 0 { store.clock.advance(hours: 1) }
            while requests < 10_000, try request() { requests += 1 }
        }
        return requests
    }

    /// Requests of the whole directory, by a new client or by one that has it already.
    private func wholeDirectory(_ directory: LargeDirectory, _ limit: Int, isKnown: Bool) throws -> Finding {
        let session = try directory.store.session(InventedPerson(Suspects.seekers + (isKnown ? 1 : 2)))
        let known = isKnown ? try version(directory) : [UInt8](repeating: 0, count: 5)
        let start = directory.store.clock.now
        var (bytes, bytesAtStart, seconds) = (0, 0, 0.0)
        let requests = try requests(directory.store) {
            let time = ComputingTime()
            defer { seconds += time.seconds }
            return try PrivateWork.isAnswered {
                let count = try session.answer(PrivateWork.bucketRequest(known)).count
                bytes += count
                if directory.store.clock.now == start { bytesAtStart += count }
            }
        }
        let read = requests * directory.rows
        return Finding(
            "one account, a day: \(directory.rows.grouped) rows, all of them\(isKnown ? ", which it has already" : "")",
            "\(requests) answers, \(read.grouped) rows read, \((bytes >> 20).grouped) MiB, "
                + "\(seconds.rounded(to: 1)) s; bound \((2 * limit).grouped) rows",
            // Later, rows are resealed as cover at random times, so a client that has them all gets them again.
            isHeld: (1...2 * limit).contains(read) && (!isKnown || bytesAtStart < directory.rows)
        )
    }

    /// Batches that are refused because their last point is malformed.
    private func refusedBatches(_ directory: LargeDirectory) throws -> Finding {
        let session = try directory.store.session(InventedPerson(Suspects.seekers + 3))
        let size = 4_096
        let points = PointRequest.randomPoints(size - 1) + [UInt8](repeating: 255, count: 32)
        let limit = 8 * Int(PermitLimit.standard.capacity)
        let before = try session.permitsLeft()
        var seconds = 0.0
        let requests = try requests(directory.store) {
            let time = ComputingTime()
            defer { seconds += time.seconds }
            do {
                _ = try session.answer(PointRequest(epoch: LargeDirectory.epoch, count: size, points: points).message)
                throw ExperimentFailure("a malformed batch was answered")
            } catch let error as KinfolkError {
                switch error.code {
                case .invalidArgument: return true
                case .requestRateLimited: return false
                default: throw error
                }
            }
        }
        // Two keys: each point is multiplied twice.
        let charged = requests * 2 * size
        let left = try session.permitsLeft()
        return Finding(
            "one account, a day: batches of \(size.grouped) points, of which the last one is malformed",
            "\(requests) examined, \(charged.grouped) multiplications charged, \(seconds.rounded(to: 1)) s; "
                + "bound \((2 * limit).grouped)",
            isHeld: (1...2 * limit).contains(charged) && left == before
        )
    }

    /// Erases the account at its limit, and comes back with the same address.
    private func comingBack(_ directory: LargeDirectory, _ limit: Int) throws -> Finding {
        var read = 0
        for _ in 0..<5 {
            let session = try directory.store.session(InventedPerson(Suspects.seekers + 4))
            let none = [UInt8](repeating: 0, count: 5)
            while try PrivateWork.isAnswered({ _ = try session.answer(PrivateWork.bucketRequest(none)) }) {
                read += directory.rows
            }
            _ = try directory.store.account(of: session).erase()
        }
        return Finding(
            "erases the account and comes back with the same address, 5 times",
            "\(read.grouped) rows read; bound \(limit.grouped)",
            isHeld: (1...limit).contains(read)
        )
    }

    private func version(_ directory: LargeDirectory) throws -> [UInt8] {
        let session = try directory.store.session(InventedPerson(Suspects.seekers + 5))
        let answer = try session.answer(PrivateWork.bucketRequest([UInt8](repeating: 0, count: 5)))
        // After the header, the ID, the bits, the number of buckets, and one byte for those that changed.
        return Array(answer[8 + 16 + 1 + 2 + 1..<8 + 16 + 1 + 2 + 1 + 5])
    }

    private static func isAnswered(_ request: () throws -> Void) throws -> Bool {
        do {
            try request()
            return true
        } catch let error as KinfolkError where error.code == .requestRateLimited { return false }
    }

    /// A request for the only bucket there is with 0 bits.
    private static func bucketRequest(_ version: [UInt8]) -> [UInt8] {
        Array("KF".utf8) + [2, 5] + withUnsafeBytes(of: LargeDirectory.epoch.bigEndian, Array.init)
            + SecureRandom.bytes(16) + [0, 0, 1] + version
    }
}
