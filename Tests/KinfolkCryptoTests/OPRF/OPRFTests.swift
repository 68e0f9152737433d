import CSodium
import KinfolkCrypto
import Testing

@Suite("OPRF") struct OPRFTests {
    /// Sizes around the limits at which a batch is divided.
    @Test(
        arguments: [0, 1, 2, 15, 16, 17, 31, 32, 33, 64, 100, 255, 256, 257],
        [(OPRFMode.oprf, 1), (.oprf, 3), (.voprf, 2)]
    )
    func theClientsOutputEqualsADirectEvaluation(count: Int, how: (mode: OPRFMode, threads: Int)) throws {
        let key = try OPRFKey.random(how.mode)
        let inputs = hashes(count)
        let (blinds, blinded) = try OPRFBlinds.blinding(inputs, mode: how.mode, threads: how.threads)
        let evaluated = try key.blindEvaluate(blinded, threads: how.threads)
        let outputs = try blinds.finalize(inputs, evaluated: evaluated, threads: how.threads)
        #expect(outputs == (try key.evaluate(inputs, threads: how.threads)))
        #expect(outputs.count == 64 * count)
        #expect(Set(split(outputs, every: 64)).count == count)
        guard how.mode == .voprf, count > 0 else { return }
        let proof = try key.prove(blinded, evaluated, threads: how.threads)
        try key.publicKey.verify(proof, blinded, evaluated, threads: how.threads)
    }

    @Test func aBatchGivesTheSameAsSingleElements() throws {
        let key = try OPRFKey.random(.voprf)
        let inputs = hashes(1_000)
        let (blinds, blinded) = try OPRFBlinds.blinding(inputs, mode: .voprf, threads: 2)
        let evaluated = try key.blindEvaluate(blinded, threads: 2)
        let outputs = split(try blinds.finalize(inputs, evaluated: evaluated, threads: 2), every: 64)
        for index in stride(from: 0, to: 1_000, by: 37) {
            #expect(try key.evaluate([inputs[index]]) == outputs[index])
        }
        let proof = try key.prove(blinded, evaluated, threads: 2)
        try key.publicKey.verify(proof, blinded, evaluated, threads: 1)
        #expect(throws: OPRFError.wrongProof) {
            try key.publicKey.verify(proof, Array(blinded.dropLast(32)), Array(evaluated.dropLast(32)))
        }
    }

    @Test func inputsOfEqualLengthsGiveTheSameAsThoseWithAListOfLengths() throws {
        let key = try OPRFKey.random(.oprf)
        let inputs = hashes(20)
        let flat = inputs.flatMap { $0 }
        var outputs = [UInt8](repeating: 0, count: 64 * 20)
        try flat.withUnsafeBytes { flat in
            try outputs.withUnsafeMutableBytes { try key.evaluate(OPRFInputs(flat, length: 32), into: $0) }
        }
        #expect(try key.evaluate(inputs) == outputs)
    }

    @Test func inputsMayBeEmptyOrAsLongAs65535Bytes() throws {
        let key = try OPRFKey.random(.oprf)
        let inputs = [[], [UInt8](repeating: 7, count: 65_535), [], [1]]
        let (blinds, blinded) = try OPRFBlinds.blinding(inputs, mode: .oprf)
        let outputs = try blinds.finalize(inputs, evaluated: key.blindEvaluate(blinded))
        #expect(outputs == (try key.evaluate(inputs)))
        // Only the two empty ones are equal.
        #expect(Set(split(outputs, every: 64)).count == 3)
    }

    @Test func theSameInputIsBlindedDifferentlyEachTime() throws {
        let input = SecureRandom.bytes(32)
        let (_, blinded) = try OPRFBlinds.blinding([[UInt8]](repeating: input, count: 100), mode: .oprf)
        #expect(Set(split(blinded, every: 32)).count == 100)
    }

    @Test func modesAndKeysGiveDifferentOutputs() throws {
        let scalar = try OPRFKey.random(.oprf).withUnsafeBytes(Array.init)
        let inputs = hashes(3)
        let one = try OPRFKey(scalar: scalar, mode: .oprf).evaluate(inputs)
        #expect(try one != OPRFKey(scalar: scalar, mode: .voprf).evaluate(inputs))
        #expect(try one != OPRFKey.random(.oprf).evaluate(inputs))
        #expect(try one == OPRFKey(scalar: scalar, mode: .oprf).evaluate(inputs))
    }

    @Test func aSerialisedKeyRoundTrips() throws {
        let key = try OPRFKey.random(.voprf)
        let again = try OPRFKey(scalar: key.withUnsafeBytes(Array.init), mode: .voprf)
        #expect(again.publicKey == key.publicKey)
    }

    @Test func aSeedGivesOneKeyForEachInfo() throws {
        func key(_ seed: SecretKey, _ info: [UInt8], _ mode: OPRFMode = .oprf) throws -> [UInt8] {
            try OPRFKey(seed: seed, info: info, mode: mode).publicKey.bytes
        }
        let seed = try countingKey()
        #expect(try key(seed, [1, 2]) == key(seed, [1, 2]))
        let different = try [
            key(seed, []), key(seed, [1]), key(seed, [1, 2]), key(seed, [0, 1]), key(seed, [1], .voprf),
            key(.random(), [1]), key(seed, [UInt8](repeating: 1, count: 65_535)),
        ]
        #expect(Set(different).count == different.count)
    }

    @Test func evaluatingMayWriteIntoItsInput() throws {
        let key = try OPRFKey.random(.oprf)
        let (_, blinded) = try OPRFBlinds.blinding(hashes(40), mode: .oprf)
        var place = blinded
        try place.withUnsafeMutableBytes { try key.blindEvaluate(UnsafeRawBufferPointer($0), into: $0, threads: 2) }
        #expect(try place == key.blindEvaluate(blinded))
    }

    @Test func aProofIsDifferentEachTime() throws {
        let key = try OPRFKey.random(.voprf)
        let (_, blinded) = try OPRFBlinds.blinding(hashes(1), mode: .voprf)
        let evaluated = try key.blindEvaluate(blinded)
        #expect(try key.prove(blinded, evaluated) != key.prove(blinded, evaluated))
    }

    @Test func secretsAreNotPrintable() throws {
        let scalar = [UInt8](repeating: 1, count: 32)
        let key = try OPRFKey(scalar: Array(scalar.dropLast()) + [0], mode: .oprf)
        let blinds = try OPRFBlinds.blinding([[]], with: Array(scalar.dropLast()) + [0], mode: .oprf).blinds
        for secret in [key, blinds] as [Any] {
            var dumped = ""
            dump(secret, to: &dumped)
            for text in ["\(secret)", String(reflecting: secret), dumped] {
                #expect(!text.contains("1, 1, 1, 1") && !text.contains("01010101"))
            }
        }
    }
}
