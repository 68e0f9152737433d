/// Passes zeroed scratch memory to `body`, which may write secrets to it, and wipes it afterwards. Up to 1,024 bytes need no
/// allocation.
func withWipedScratch<Result, Failure: Error>(
    _ count: Int,
    _ body: (UnsafeMutablePointer<UInt8>) throws(Failure) -> Result
) throws(Failure) -> Result {
    try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(count, 1)) {
        (scratch) throws(Failure) -> Result in
        scratch.initialize(repeating: 0)
        defer { wipe(UnsafeMutableRawBufferPointer(scratch)) }
        return try body(scratch.baseAddress ?? WritableRows.nowhere)
    }
}
