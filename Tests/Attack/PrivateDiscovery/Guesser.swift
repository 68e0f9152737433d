import Kinfolk
import KinfolkCrypto
import KinfolkThreads

/// An attacker who has the key of a private directory and a list of addresses to test, such as the server itself.
struct Guesser {
    /// Enough at once to keep all cores busy, and few enough for the outputs to fit into memory.
    private static let batch = 16_384

    private let key: OPRFKey

    init(_ key: OPRFKey) { self.key = key }

    /// The outputs for contact hashes, 64 bytes each.
    func outputs(_ hashes: [ContactHash]) throws -> [UInt8] {
        let inputs = hashes.flatMap { hash in hash.withUnsafeBytes(Array.init) }
        var outputs = [UInt8](repeating: 0, count: hashes.count * OPRF.outputLength)
        try inputs.withUnsafeBytes { inputs in
            try outputs.withUnsafeMutableBytes { outputs in
                try key.evaluate(
                    OPRFInputs(inputs, length: ContactHash.byteCount),
                    into: outputs,
                    threads: Parallel.coreCount
                )
            }
        }
        return outputs
    }

    /// The tags of the addresses of invented people.
    func tags(ofPeople numbers: [Int]) throws -> [UInt64] { try compute(numbers, PrivateTag.tags) }

    /// Their bucket positions under this bucket key.
    func buckets(ofPeople numbers: [Int]) throws -> [UInt64] { try compute(numbers, PrivateTag.buckets) }

    private func compute(_ numbers: [Int], _ value: ([UInt8]) -> [UInt64]) throws -> [UInt64] {
        var values: [UInt64] = []
        values.reserveCapacity(numbers.count)
        for start in stride(from: 0, to: numbers.count, by: Guesser.batch) {
            let part = numbers[start..<min(start + Guesser.batch, numbers.count)]
            values += value(try outputs(part.map(Guesser.hash)))
        }
        return values
    }

    func tag(ofPerson number: Int) throws -> PrivateTag { PrivateTag(output: try outputs([Guesser.hash(number)])) }

    static func hash(_ number: Int) throws -> ContactHash {
        try EmailAddress(InventedPerson(number).address).contactHash
    }
}
