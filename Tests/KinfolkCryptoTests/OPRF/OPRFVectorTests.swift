import Foundation
import KinfolkCrypto
import Testing

/// RFC 9497, appendix A.1.1 and A.1.2, from the file that the RFC's authors publish with it
/// (github.com/cfrg/draft-irtf-cfrg-voprf, `poc/vectors/allVectors.json`).
@Suite("OPRF: published vectors") struct OPRFVectorTests {
    struct Published: Decodable, CustomTestStringConvertible {
        struct Vector: Decodable {
            struct Proof: Decodable {
                let proof: String
                let r: String
            }

            let Batch: Int
            let Blind: String
            let BlindedElement: String
            let EvaluationElement: String
            let Input: String
            let Output: String
            let Proof: Proof?
        }

        let mode: UInt8
        let seed: String
        let keyInfo: String
        let skSm: String
        let pkSm: String?
        let vectors: [Vector]

        var testDescription: String { "mode \(mode)" }

        /// Empty if the file cannot be read. A test checks that.
        static let all: [Published] = {
            let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "rfc9497-vectors.json")
            return (try? JSONDecoder().decode([Published].self, from: Data(contentsOf: file))) ?? []
        }()

        func key() throws -> OPRFKey {
            let seed = try bytes(hex: seed).withUnsafeBytes(SecretKey.init(copying:))
            return try OPRFKey(seed: seed, info: bytes(hex: keyInfo), mode: #require(OPRFMode(rawValue: mode)))
        }
    }

    /// The values of a batch are separated by commas.
    private func flat(_ list: String) -> [UInt8] { bytes(hex: list.filter { $0 != "," }) }
    private func each(_ list: String) -> [[UInt8]] { list.split(separator: ",").map { bytes(hex: String($0)) } }

    @Test func theFileOfVectorsExists() {
        #expect(Published.all.map(\.mode) == [0, 1])
        #expect(Published.all.map { $0.vectors.map(\.Batch) } == [[1, 1], [1, 1, 2]])
        #expect(Published.all.last?.vectors.allSatisfy { $0.Proof != nil } == true)
    }

    @Test(arguments: Published.all) func aKeyIsDerivedAsPublished(published: Published) throws {
        let key = try published.key()
        #expect(hex(key.withUnsafeBytes(Array.init)) == published.skSm)
        if let publicKey = published.pkSm { #expect(hex(key.publicKey.bytes) == publicKey) }
    }

    @Test(arguments: Published.all, [1, 2]) func allStepsGiveThePublishedValues(published: Published, threads: Int)
        throws
    {
        let key = try published.key()
        for vector in published.vectors {
            let inputs = each(vector.Input)
            let (blinds, blinded) = try OPRFBlinds.blinding(
                inputs,
                with: flat(vector.Blind),
                mode: key.mode,
                threads: threads
            )
            #expect(hex(blinded) == hex(flat(vector.BlindedElement)))
            let evaluated = try key.blindEvaluate(blinded, threads: threads)
            #expect(hex(evaluated) == hex(flat(vector.EvaluationElement)))
            let outputs = try blinds.finalize(inputs, evaluated: evaluated, threads: threads)
            #expect(hex(outputs) == hex(flat(vector.Output)))
            #expect(try key.evaluate(inputs, threads: threads) == outputs)
        }
    }

    @Test(arguments: Published.all.flatMap(\.vectors).filter { $0.Proof != nil }.indices)
    func aProofEqualsThePublishedOne(index: Int) throws {
        let published = try #require(Published.all.last)
        let vector = published.vectors[index]
        let proof = try #require(vector.Proof)
        let (blinded, evaluated) = (flat(vector.BlindedElement), flat(vector.EvaluationElement))
        let key = try published.key()
        #expect(hex(try key.prove(blinded, evaluated, with: flat(proof.r)).bytes) == proof.proof)
        let given = try flat(proof.proof).withUnsafeBytes { try OPRFProof(bytes: $0) }
        try key.publicKey.verify(given, blinded, evaluated)
    }
}
