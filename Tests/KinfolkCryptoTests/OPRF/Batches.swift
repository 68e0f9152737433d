import KinfolkCrypto

/// The steps of the OPRF, with arrays.
extension OPRFBlinds {
    static func blinding(
        _ inputs: [[UInt8]],
        with given: [UInt8]? = nil,
        mode: OPRFMode,
        threads: Int = 1
    ) throws -> (blinds: OPRFBlinds, blinded: [UInt8]) {
        var blinded = [UInt8](repeating: 0xaa, count: 32 * inputs.count)
        let blinds = try withInputs(inputs) { inputs in
            try blinded.withUnsafeMutableBytes { blinded in
                guard let given else {
                    return try OPRFBlinds(blinding: inputs, mode: mode, into: blinded, threads: threads)
                }
                return try given.withUnsafeBytes { given in
                    try OPRFBlinds(blinding: inputs, with: given, mode: mode, into: blinded, threads: threads)
                }
            }
        }
        return (blinds, blinded)
    }

    func finalize(_ inputs: [[UInt8]], evaluated: [UInt8], threads: Int = 1) throws -> [UInt8] {
        var outputs = [UInt8](repeating: 0xaa, count: 64 * inputs.count)
        try withInputs(inputs) { inputs in
            try evaluated.withUnsafeBytes { evaluated in
                try outputs.withUnsafeMutableBytes { outputs in
                    try finalize(inputs, evaluated: evaluated, into: outputs, threads: threads)
                }
            }
        }
        return outputs
    }
}

extension OPRFKey {
    init(scalar: [UInt8], mode: OPRFMode) throws {
        self = try scalar.withUnsafeBytes { try OPRFKey(scalar: $0, mode: mode) }
    }

    func evaluate(_ inputs: [[UInt8]], threads: Int = 1) throws -> [UInt8] {
        var outputs = [UInt8](repeating: 0xaa, count: 64 * inputs.count)
        try withInputs(inputs) { inputs in
            try outputs.withUnsafeMutableBytes { try evaluate(inputs, into: $0, threads: threads) }
        }
        return outputs
    }

    func blindEvaluate(_ blinded: [UInt8], threads: Int = 1) throws -> [UInt8] {
        var evaluated = [UInt8](repeating: 0xaa, count: blinded.count)
        try blinded.withUnsafeBytes { blinded in
            try evaluated.withUnsafeMutableBytes { try blindEvaluate(blinded, into: $0, threads: threads) }
        }
        return evaluated
    }

    func prove(
        _ blinded: [UInt8],
        _ evaluated: [UInt8],
        with nonce: [UInt8]? = nil,
        threads: Int = 1
    ) throws -> OPRFProof {
        try blinded.withUnsafeBytes { blinded in
            try evaluated.withUnsafeBytes { evaluated in
                guard let nonce else { return try prove(blinded: blinded, evaluated: evaluated, threads: threads) }
                return try nonce.withUnsafeBytes { nonce in
                    try prove(blinded: blinded, evaluated: evaluated, with: nonce, threads: threads)
                }
            }
        }
    }
}

extension OPRFPublicKey {
    func verify(_ proof: OPRFProof, _ blinded: [UInt8], _ evaluated: [UInt8], threads: Int = 1) throws {
        try blinded.withUnsafeBytes { blinded in
            try evaluated.withUnsafeBytes { evaluated in
                try verify(proof, blinded: blinded, evaluated: evaluated, threads: threads)
            }
        }
    }
}

/// Inputs of any lengths, which are valid while `body` runs.
func withInputs<Result>(_ inputs: [[UInt8]], _ body: (OPRFInputs) throws -> Result) throws -> Result {
    try inputs.flatMap { $0 }.withUnsafeBytes { try body(OPRFInputs($0, lengths: inputs.map(\.count))) }
}

/// This many different inputs of 32 bytes, like contact hashes.
func hashes(_ count: Int) -> [[UInt8]] { (0..<count).map { _ in SecureRandom.bytes(32) } }

/// Values of equal length out of a flat buffer.
func split(_ bytes: [UInt8], every length: Int) -> [[UInt8]] {
    stride(from: 0, to: bytes.count, by: length).map { Array(bytes[$0..<min($0 + length, bytes.count)]) }
}
