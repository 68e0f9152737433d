import CSodium
import Glibc
import KinfolkCrypto
import Testing

/// After its use, a secret is not in memory any more. The tests run one at a time, because a search copies memory.
@Suite("OPRF: memory", .serialized) struct OPRFMemoryTests {
    /// A sanitizer keeps freed memory and copies of it.
    private static let canSearch = dlsym(nil, "__asan_init") == nil && dlsym(nil, "__tsan_init") == nil

    /// Writes random scalars, and for each its inverse.
    private func fill(_ scalars: UnsafeMutableRawBufferPointer, _ inverses: UnsafeMutableRawBufferPointer) {
        let count = scalars.count
        guard let scalars = scalars.bindMemory(to: UInt8.self).baseAddress,
            let inverses = inverses.bindMemory(to: UInt8.self).baseAddress
        else { return }
        for offset in stride(from: 0, to: count, by: 32) {
            crypto_core_ristretto255_scalar_random(scalars + offset)
            crypto_core_ristretto255_scalar_invert(inverses + offset, scalars + offset)
        }
    }

    private func element(_ index: Int, of secrets: UnsafeMutableRawBufferPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: secrets[32 * index..<32 * index + 32])
    }

    @Test(.enabled(if: canSearch), arguments: [1, 2]) func blindsAreInMemoryOnceAndAreWiped(threads: Int) throws {
        let search = try MemorySearch()
        let count = 40
        let scalars = search.room(32 * count)
        let inverses = search.room(32 * count, at: 32 * count)
        fill(scalars, inverses)
        let inputs = hashes(count)
        do {
            var blinded = [UInt8](repeating: 0, count: 32 * count)
            let blinds = try withInputs(inputs) { inputs in
                try blinded.withUnsafeMutableBytes { blinded in
                    try OPRFBlinds(
                        blinding: inputs,
                        with: UnsafeRawBufferPointer(scalars),
                        mode: .voprf,
                        into: blinded,
                        threads: threads
                    )
                }
            }
            for index in [0, 20, 39] { #expect(try search.places(of: element(index, of: scalars)) == 1) }
            _ = try blinds.finalize(inputs, evaluated: blinded, threads: threads)
            for index in [0, 20, 39] {
                #expect(try search.places(of: element(index, of: scalars)) == 1)
                #expect(try search.places(of: element(index, of: inverses)) == 0)
            }
            // A refused batch does not leave them either.
            blinded.replaceSubrange((32 * 39)..., with: [UInt8](repeating: 0, count: 32))
            #expect(throws: OPRFError.identity) { try blinds.finalize(inputs, evaluated: blinded, threads: threads) }
            for index in [0, 20, 39] { #expect(try search.places(of: element(index, of: inverses)) == 0) }
        }
        for index in [0, 20, 39] { #expect(try search.places(of: element(index, of: scalars)) == 0) }
    }

    @Test(.enabled(if: canSearch)) func aKeyIsInMemoryOnceAndIsWipedAndANonceIsNeverLeft() throws {
        let search = try MemorySearch()
        let scalars = search.room(64)
        let inverses = search.room(64, at: 64)
        fill(scalars, inverses)
        let (secret, nonce) = (element(0, of: scalars), element(1, of: scalars))
        let (_, blinded) = try OPRFBlinds.blinding(hashes(40), mode: .voprf)
        do {
            let key = try OPRFKey(scalar: secret, mode: .voprf)
            let evaluated = try key.blindEvaluate(blinded, threads: 2)
            _ = try key.evaluate(hashes(40), threads: 2)
            try blinded.withUnsafeBytes { blinded in
                try evaluated.withUnsafeBytes { evaluated in
                    _ = try key.prove(blinded: blinded, evaluated: evaluated, with: nonce, threads: 2)
                }
            }
            #expect(try search.places(of: secret) == 1)
            #expect(try search.places(of: nonce) == 0)
        }
        #expect(try search.places(of: secret) == 0)
    }

    @Test(.enabled(if: canSearch)) func theSearchFindsBytesLeftInMemory() throws {
        // The search itself works: on the heap, and in freed memory.
        let search = try MemorySearch()
        let secret = search.room(32)
        SecureRandom.fill(secret)
        #expect(try search.places(of: UnsafeRawBufferPointer(secret)) == 0)
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: 32, alignment: 16)
        copy.copyMemory(from: UnsafeRawBufferPointer(secret))
        #expect(try search.places(of: UnsafeRawBufferPointer(secret)) == 1)
        wipe(copy)
        copy.deallocate()
        #expect(try search.places(of: UnsafeRawBufferPointer(secret)) == 0)
    }
}
