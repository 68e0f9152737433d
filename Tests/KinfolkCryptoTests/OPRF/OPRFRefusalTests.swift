import CSodium
import KinfolkCrypto
import Testing

/// Each kind of invalid input is refused, with a specific error.
@Suite("OPRF: refusals") struct OPRFRefusalTests {
    private static let identity = [UInt8](repeating: 0, count: 32)

    /// RFC 9496, appendix A.2: encodings that are not canonical, negative, off the curve, or of no element.
    private static let notElements = [
        "00ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "f3ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "01ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "ed57ffd8c914fb201471d1c3d245ce3c746fcbe63a3679d51b6a516ebebe0e20",
        "c34c4e1826e5d403b78e246e88aa051c36ccf0aafebffe137d148a2bf9104562",
        "c940e5a4404157cfb1628b108db051a8d439e1a421394ec4ebccb9ec92a8ac78",
        "47cfc5497c53dc8e61c91d17fd626ffb1c49e2bca94eed052281b510b1117a24",
        "f1c6165d33367351b0da8f6e4511010c68174a03b6581212c71c0e1d026c3c72",
        "87260f7a2f12495118360f02c26a470f450dadf34a413d21042b43b9d93e1309",
        "26948d35ca62e643e26a83177332e6b6afeb9d08e4268b650f1f5bbd8d81d371",
        "4eac077a713c57b4f4397629a4145982c661f48044dd3f96427d40b147d9742f",
        "de6a7b00deadc788eb6b6c8d20c0ae96c2f2019078fa604fee5b87d6e989ad7b",
        "bcab477be20861e01e4a0e295284146a510150d9817763caf1a6f4b422d67042",
        "2a292df7e32cababbd9de088d1d1abec9fc0440f637ed2fba145094dc14bea08",
        "f4a9e534fc0d216c44b218fa0c42d99635a0127ee2e53c712f70609649fdff22",
        "8268436f8c4126196cf64b3c7ddbda90746a378625f9813dd9b8457077256731",
        "2810e5cbc2cc4d4eece54f61c6f69758e289aa7ab440b3cbeaa21995c2f4232b",
        "3eb858e78f5a7254d8c9731174a94f76755fd3941c0ac93735c07ba14579630e",
        "a45fdc55c76448c049a1ab33f17023edfb2be3581e9c7aade8a6125215e04220",
        "d483fe813c6ba647ebbfd3ec41adca1c6130c2beeee9d9bf065c8d151c5f396e",
        "8a2e1d30050198c65a54483123960ccc38aef6848e1ec8f5f780e8523769ba32",
        "32888462f8b486c68ad7dd9610be5192bbeaf3b443951ac1a8118419d9fa097b",
        "227142501b9d4355ccba290404bde41575b037693cef1f438c47f8fbf35d1165",
        "5c37cc491da847cfeb9281d407efc41e15144c876e0170b499a96a22ed31e01e",
        "445425117cb8c90edcbc7c1cc0e74f747f2c1efa5630a967c64f287792a48a4b",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        // Not in the RFC: the generator and the identity, each with the highest bit set, which libsodium 1.0.18 accepts.
        "e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2df6",
        "0000000000000000000000000000000000000000000000000000000000000080",
    ].map(bytes(hex:))

    /// The group's order, RFC 9496, section 4.4.
    private static let order = bytes(hex: "edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")

    /// A batch of 40 with its proof.
    private struct Round {
        let inputs = hashes(40)
        let key: OPRFKey
        let blinds: OPRFBlinds
        let blinded: [UInt8]
        let evaluated: [UInt8]
        let proof: OPRFProof

        init() throws {
            key = try OPRFKey.random(.voprf)
            (blinds, blinded) = try OPRFBlinds.blinding(inputs, mode: .voprf)
            evaluated = try key.blindEvaluate(blinded)
            proof = try key.prove(blinded, evaluated)
        }
    }

    /// For tests that only read it.
    private static let round = Result { try Round() }

    private func replacing(_ index: Int, of batch: [UInt8], by element: [UInt8]) -> [UInt8] {
        Array(batch[..<(32 * index)]) + element + Array(batch[(32 * index + 32)...])
    }

    @Test(arguments: [(identity, OPRFError.identity)] + notElements.map { ($0, .notAnElement) })
    func invalidElementsAreRefusedAtAnyPlaceOfABatch(element: [UInt8], error: OPRFError) throws {
        let round = try OPRFRefusalTests.round.get()
        for (index, threads) in [(0, 1), (39, 2)] {
            let blinded = replacing(index, of: round.blinded, by: element)
            let evaluated = replacing(index, of: round.evaluated, by: element)
            #expect(throws: error) { try round.key.blindEvaluate(blinded, threads: threads) }
            #expect(throws: error) { try round.blinds.finalize(round.inputs, evaluated: evaluated, threads: threads) }
            #expect(throws: error) {
                try round.key.publicKey.verify(round.proof, round.blinded, evaluated, threads: threads)
            }
            #expect(throws: error) {
                try round.key.publicKey.verify(round.proof, blinded, round.evaluated, threads: threads)
            }
            #expect(throws: error) { try round.key.prove(blinded, round.evaluated, threads: threads) }
        }
        #expect(throws: error) { try element.withUnsafeBytes { try OPRFPublicKey(bytes: $0, mode: .voprf) } }
    }

    @Test func aPublicKeyRoundTrips() throws {
        let key = try OPRFKey.random(.voprf).publicKey
        #expect(try key.bytes.withUnsafeBytes { try OPRFPublicKey(bytes: $0, mode: .voprf) } == key)
        for length in [0, 31, 33, 64] {
            #expect(throws: OPRFError.wrongCount) {
                try [UInt8](repeating: 1, count: length).withUnsafeBytes { try OPRFPublicKey(bytes: $0, mode: .voprf) }
            }
        }
    }

    @Test func theFirstOfSeveralFaultsIsReportedWithAnyNumberOfThreads() throws {
        let key = try OPRFKey.random(.oprf)
        var (_, blinded) = try OPRFBlinds.blinding(hashes(600), mode: .oprf)
        blinded = replacing(300, of: blinded, by: OPRFRefusalTests.notElements[0])
        blinded = replacing(590, of: blinded, by: OPRFRefusalTests.identity)
        for threads in [1, 2, 7] {
            #expect(throws: OPRFError.notAnElement) { try key.blindEvaluate(blinded, threads: threads) }
        }
        blinded = replacing(2, of: blinded, by: OPRFRefusalTests.identity)
        for threads in [1, 2, 7] {
            #expect(throws: OPRFError.identity) { try key.blindEvaluate(blinded, threads: threads) }
        }
    }

    @Test func aRefusedBatchWritesNoResults() throws {
        let round = try Round()
        let bad = replacing(39, of: round.blinded, by: OPRFRefusalTests.notElements[1])
        var evaluated = [UInt8](repeating: 9, count: bad.count)
        #expect(throws: OPRFError.notAnElement) {
            try bad.withUnsafeBytes { bad in
                try evaluated.withUnsafeMutableBytes { try round.key.blindEvaluate(bad, into: $0) }
            }
        }
        #expect(evaluated.allSatisfy { $0 == 0 })
        var outputs = [UInt8](repeating: 9, count: 64 * 40)
        #expect(throws: OPRFError.notAnElement) {
            try withInputs(round.inputs) { inputs in
                try bad.withUnsafeBytes { bad in
                    try outputs.withUnsafeMutableBytes { try round.blinds.finalize(inputs, evaluated: bad, into: $0) }
                }
            }
        }
        #expect(outputs.allSatisfy { $0 == 0 })
        var blinded = [UInt8](repeating: 9, count: 64)
        #expect(throws: OPRFError.zeroScalar) {
            try withInputs([[1], [2]]) { inputs in
                try ([1] + [UInt8](repeating: 0, count: 63)).withUnsafeBytes { blinds in
                    try blinded.withUnsafeMutableBytes {
                        _ = try OPRFBlinds(blinding: inputs, with: blinds, mode: .oprf, into: $0)
                    }
                }
            }
        }
        #expect(blinded.allSatisfy { $0 == 0 })
    }

    // MARK: Proofs

    @Test func aProofUnderAnotherKeyIsRefused() throws {
        let round = try Round()
        let other = try OPRFKey.random(.voprf)
        #expect(throws: OPRFError.wrongProof) {
            try other.publicKey.verify(round.proof, round.blinded, round.evaluated)
        }
        // A valid proof under another key is refused, and so is a proof for elements that were not evaluated with the key.
        let evaluated = try other.blindEvaluate(round.blinded)
        let proof = try other.prove(round.blinded, evaluated)
        #expect(throws: OPRFError.wrongProof) { try round.key.publicKey.verify(proof, round.blinded, evaluated) }
        let lie = try round.key.prove(round.blinded, evaluated)
        #expect(throws: OPRFError.wrongProof) { try round.key.publicKey.verify(lie, round.blinded, evaluated) }
        try other.publicKey.verify(proof, round.blinded, evaluated)
    }

    @Test func aSingleElementUnderAnotherKeyIsRefused() throws {
        let round = try Round()
        let other = try OPRFKey.random(.voprf).blindEvaluate(Array(round.blinded.prefix(32)))
        let evaluated = replacing(0, of: round.evaluated, by: other)
        let proof = try round.key.prove(round.blinded, evaluated)
        #expect(throws: OPRFError.wrongProof) { try round.key.publicKey.verify(proof, round.blinded, evaluated) }
    }

    @Test func anAlteredElementIsRefused() throws {
        let round = try Round()
        let stranger = try OPRFBlinds.blinding(hashes(1), mode: .voprf).blinded
        for index in [0, 1, 20, 39] {
            #expect(throws: OPRFError.wrongProof) {
                let blinded = replacing(index, of: round.blinded, by: stranger)
                try round.key.publicKey.verify(round.proof, blinded, round.evaluated)
            }
            #expect(throws: OPRFError.wrongProof) {
                let evaluated = replacing(index, of: round.evaluated, by: stranger)
                try round.key.publicKey.verify(round.proof, round.blinded, evaluated)
            }
        }
    }

    @Test func anAlteredOrderIsRefused() throws {
        let round = try Round()
        func swapped(_ batch: [UInt8]) -> [UInt8] { Array(batch[32..<64]) + Array(batch[..<32]) + Array(batch[64...]) }
        let (blinded, evaluated) = (swapped(round.blinded), swapped(round.evaluated))
        for (blinded, evaluated) in [(blinded, round.evaluated), (round.blinded, evaluated), (blinded, evaluated)] {
            #expect(throws: OPRFError.wrongProof) { try round.key.publicKey.verify(round.proof, blinded, evaluated) }
        }
    }

    @Test func aChangeOfAnyBitOfAProofIsDetected() throws {
        let key = try OPRFKey.random(.voprf)
        let (_, blinded) = try OPRFBlinds.blinding(hashes(1), mode: .voprf)
        let evaluated = try key.blindEvaluate(blinded)
        let proof = try key.prove(blinded, evaluated)
        for bit in 0..<512 {
            var changed = proof.bytes
            changed[bit / 8] ^= 1 << (bit % 8)
            let error = #expect(throws: OPRFError.self) {
                let proof = try changed.withUnsafeBytes { try OPRFProof(bytes: $0) }
                try key.publicKey.verify(proof, blinded, evaluated)
            }
            #expect(error == .wrongProof || error == .notAScalar && bit % 256 >= 252)
        }
    }

    @Test func aProofOfZerosIsRefused() throws {
        let round = try Round()
        let zeros = try [UInt8](repeating: 0, count: 64).withUnsafeBytes { try OPRFProof(bytes: $0) }
        #expect(throws: OPRFError.wrongProof) {
            try round.key.publicKey.verify(zeros, round.blinded, round.evaluated)
        }
    }

    @Test func aProofThatIsNotTwoScalarsIsRefused() throws {
        let one = [1] + [UInt8](repeating: 0, count: 31)
        func proof(_ bytes: [UInt8]) throws { _ = try bytes.withUnsafeBytes { try OPRFProof(bytes: $0) } }
        try proof(one + one)
        #expect(throws: OPRFError.notAScalar) { try proof(OPRFRefusalTests.order + one) }
        #expect(throws: OPRFError.notAScalar) { try proof(one + OPRFRefusalTests.order) }
        for length in [0, 32, 63, 65, 128] {
            #expect(throws: OPRFError.wrongCount) { try proof([UInt8](repeating: 0, count: length)) }
        }
    }

    @Test func theUnverifiableModeHasNoProofs() throws {
        let round = try Round()
        let key = try OPRFKey(scalar: round.key.withUnsafeBytes(Array.init), mode: .oprf)
        #expect(throws: OPRFError.modeWithoutProofs) { try key.prove(round.blinded, round.evaluated) }
        #expect(throws: OPRFError.modeWithoutProofs) {
            try key.publicKey.verify(round.proof, round.blinded, round.evaluated)
        }
    }

    @Test func aProofNeedsAtLeastOneElementAndAtMost65535() throws {
        let round = try Round()
        #expect(throws: OPRFError.nothingToProve) { try round.key.prove([], []) }
        #expect(throws: OPRFError.nothingToProve) { try round.key.publicKey.verify(round.proof, [], []) }
        let many = [UInt8](repeating: 0, count: 32 * 65_536)
        #expect(throws: OPRFError.tooManyToProve) { try round.key.prove(many, many) }
        #expect(throws: OPRFError.tooManyToProve) { try round.key.publicKey.verify(round.proof, many, many) }
        // One fewer is not too many: the elements are then checked.
        let fewer = Array(many.dropLast(32))
        #expect(throws: OPRFError.identity) { try round.key.publicKey.verify(round.proof, fewer, fewer) }
    }

    // MARK: Scalars

    @Test func aKeyIsBelowTheOrderAndNotZero() throws {
        func key(_ scalar: [UInt8]) throws { _ = try OPRFKey(scalar: scalar, mode: .oprf) }
        let order = OPRFRefusalTests.order
        try key([order[0] - 1] + order.dropFirst())
        #expect(throws: OPRFError.notAScalar) { try key(order) }
        #expect(throws: OPRFError.notAScalar) { try key([order[0] + 1] + order.dropFirst()) }
        #expect(throws: OPRFError.notAScalar) { try key([UInt8](repeating: 255, count: 32)) }
        #expect(throws: OPRFError.zeroScalar) { try key([UInt8](repeating: 0, count: 32)) }
        for length in [0, 31, 33] {
            #expect(throws: OPRFError.wrongCount) { try key([UInt8](repeating: 1, count: length)) }
        }
    }

    @Test func aBlindIsBelowTheOrderAndNotZero() throws {
        func blind(_ scalar: [UInt8]) throws { _ = try OPRFBlinds.blinding([[1]], with: scalar, mode: .oprf) }
        try blind([1] + [UInt8](repeating: 0, count: 31))
        #expect(throws: OPRFError.notAScalar) { try blind(OPRFRefusalTests.order) }
        #expect(throws: OPRFError.zeroScalar) { try blind([UInt8](repeating: 0, count: 32)) }
        for length in [0, 31, 33, 64] {
            #expect(throws: OPRFError.wrongCount) { try blind([UInt8](repeating: 1, count: length)) }
        }
    }

    @Test func aNonceIsBelowTheOrderAndNotZero() throws {
        let round = try Round()
        func prove(_ nonce: [UInt8]) throws { _ = try round.key.prove(round.blinded, round.evaluated, with: nonce) }
        #expect(throws: OPRFError.notAScalar) { try prove(OPRFRefusalTests.order) }
        #expect(throws: OPRFError.zeroScalar) { try prove([UInt8](repeating: 0, count: 32)) }
        #expect(throws: OPRFError.wrongCount) { try prove([1]) }
    }

    // MARK: Counts

    @Test func batchesOfDifferentCountsAreRefused() throws {
        let round = try Round()
        let fewer = Array(round.evaluated.dropLast(32))
        #expect(throws: OPRFError.wrongCount) { try round.blinds.finalize(round.inputs, evaluated: fewer) }
        #expect(throws: OPRFError.wrongCount) {
            try round.blinds.finalize(round.inputs, evaluated: round.evaluated + round.evaluated.prefix(32))
        }
        #expect(throws: OPRFError.wrongCount) {
            try round.blinds.finalize(round.inputs.dropLast(), evaluated: fewer)
        }
        #expect(throws: OPRFError.wrongCount) { try round.key.prove(round.blinded, fewer) }
        #expect(throws: OPRFError.wrongCount) { try round.key.publicKey.verify(round.proof, round.blinded, fewer) }
        #expect(throws: OPRFError.wrongCount) { try round.key.publicKey.verify(round.proof, fewer, round.evaluated) }
        #expect(throws: OPRFError.wrongCount) {
            try OPRFBlinds.blinding(round.inputs, with: Array(round.evaluated.dropLast(32)), mode: .oprf)
        }
    }

    @Test(arguments: [0, 19, 21]) func finalizingInputsThatWereNotBlindedIsRefused(count: Int) throws {
        let round = try Round()
        var outputs = [UInt8](repeating: 5, count: 64 * 20)
        #expect(throws: OPRFError.wrongCount) {
            try withInputs(hashes(count)) { inputs in
                try round.evaluated.withUnsafeBytes { evaluated in
                    try outputs.withUnsafeMutableBytes {
                        try round.blinds.finalize(inputs, evaluated: evaluated, into: $0)
                    }
                }
            }
        }
        #expect(outputs.allSatisfy { $0 == 5 })
    }

    @Test(arguments: [1, 31, 33, 63]) func aBatchThatEndsInsideAnElementIsRefused(length: Int) throws {
        let round = try Round()
        let cut = Array(round.blinded.prefix(length))
        #expect(throws: OPRFError.wrongCount) { try round.key.blindEvaluate(cut) }
        #expect(throws: OPRFError.wrongCount) { try round.key.prove(cut, cut) }
        #expect(throws: OPRFError.wrongCount) { try round.blinds.finalize(round.inputs, evaluated: cut) }
    }

    @Test func aBufferOfTheWrongSizeIsNotWrittenTo() throws {
        let round = try Round()
        for size in [0, 32 * 39, 32 * 40 + 1, 32 * 41] {
            var small = [UInt8](repeating: 5, count: size)
            #expect(throws: OPRFError.wrongCount) {
                try round.blinded.withUnsafeBytes { blinded in
                    try small.withUnsafeMutableBytes { try round.key.blindEvaluate(blinded, into: $0) }
                }
            }
            #expect(throws: OPRFError.wrongCount) {
                try withInputs(round.inputs) { inputs in
                    try small.withUnsafeMutableBytes { small in
                        try round.key.evaluate(inputs, into: small)
                    }
                }
            }
            #expect(throws: OPRFError.wrongCount) {
                try withInputs(round.inputs) { inputs in
                    try small.withUnsafeMutableBytes { small in
                        _ = try OPRFBlinds(blinding: inputs, mode: .oprf, into: small)
                    }
                }
            }
            #expect(small.allSatisfy { $0 == 5 })
        }
    }

    @Test func inputsWhoseLengthsDoNotMatchTheirBytesAreRefused() throws {
        func inputs(_ count: Int, lengths: [Int]) throws -> Int {
            try [UInt8](repeating: 1, count: count).withUnsafeBytes { try OPRFInputs($0, lengths: lengths).count }
        }
        func inputs(_ count: Int, length: Int) throws -> Int {
            try [UInt8](repeating: 1, count: count).withUnsafeBytes { try OPRFInputs($0, length: length).count }
        }
        #expect(try inputs(3, lengths: [1, 0, 2]) == 3)
        #expect(try inputs(0, lengths: []) == 0)
        #expect(try inputs(96, length: 32) == 3)
        #expect(try inputs(0, length: 32) == 0)
        for lengths in [[], [1], [4], [1, 1], [2, 2], [-1, 4], [4, -1], [3, Int.min]] {
            #expect(throws: OPRFError.wrongCount) { try inputs(3, lengths: lengths) }
        }
        for length in [0, -1, 31, 33, 95] { #expect(throws: OPRFError.wrongCount) { try inputs(96, length: length) } }
        #expect(throws: OPRFError.inputTooLong) { try inputs(3, lengths: [Int.max]) }
        #expect(throws: OPRFError.inputTooLong) { try inputs(65_536, lengths: [65_536]) }
        #expect(throws: OPRFError.inputTooLong) { try inputs(65_536, length: 65_536) }
        #expect(throws: OPRFError.inputTooLong) {
            try OPRFKey(seed: .random(), info: [UInt8](repeating: 0, count: 65_536), mode: .oprf)
        }
    }
}
