/// A prepared statement of one connection.
///
/// Columns are read between a ``step()`` that returned true and the next one. A column of another type than requested reads as
/// zero or empty, and then ``checkValues()`` throws: the schema is ours, so only damage or another program causes this.
package protocol Statement: AnyObject {
    // MARK: Values

    func bind(_ values: [Value]) throws
    func bind(_ number: Int64, at index: Int32) throws
    /// Binds bytes that must stay valid until the statement is reset or bound again.
    func bind(inPlace bytes: UnsafeRawBufferPointer, at index: Int32) throws

    // MARK: One run

    /// Advances to the next row. False after the last one.
    func step() throws -> Bool
    /// Makes the statement ready for the next run.
    func reset()
    /// Resets the statement and releases the bound values.
    func clear()

    func isNull(_ column: Int32) -> Bool
    func integer(_ column: Int32) -> Int64
    func real(_ column: Int32) -> Double
    /// The bytes of a column, in the engine's memory, until the next step.
    func bytes(inPlace column: Int32) -> UnsafeRawBufferPointer

    /// - Throws: ``StorageError/Kind/corrupt`` if a column was read that has another type than requested and is not NULL.
    func checkValues() throws

    // MARK: Many runs

    /// Runs the statement for its changes. On a server, it is sent with the next request, or at the latest when the transaction
    /// ends, and fails there. `changes` is then called with the number of changed rows.
    func enqueue(_ changes: @escaping (Int) -> Void) throws
    /// Completes all enqueued runs.
    func flush() throws
    /// Runs a query `count` times: `bind` sets the values of a run, and `body` reads its rows with ``step()``.
    func run(_ count: Int, bind: (Int) throws -> Void, _ body: (Int) throws -> Void) throws
    /// Runs a query for all of `keys`, which its SQL compares by `= ANY($n)` with its first column. Calls `body` for each row
    /// with the position of its key.
    func lookUp(_ keys: KeyList, at index: Int32, _ body: (_ position: Int) throws -> Void) throws

    // MARK: For measuring work

    /// How many steps it has taken since the last call, in the engine's own unit.
    func takeStepCount() -> Int
    var sql: String { get }
}

extension Statement {
    package func bytes(_ column: Int32) -> [UInt8] { Array(bytes(inPlace: column)) }

    package func text(_ column: Int32) -> String { String(decoding: bytes(inPlace: column), as: UTF8.self) }

    /// The bytes of a column, in the engine's memory.
    package func withBytes<Result>(
        _ column: Int32,
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try body(bytes(inPlace: column))
    }

    /// Copies a column of `length` bytes, for queries with many rows. False if it has another length, or does not fit into the
    /// buffer.
    package func copy(
        _ column: Int32,
        into buffer: UnsafeMutableRawBufferPointer,
        at position: Int,
        length: Int
    ) -> Bool {
        let source = bytes(inPlace: column)
        guard source.count == length, let start = source.baseAddress, let target = buffer.baseAddress, position >= 0,
            length <= buffer.count - position
        else { return false }
        (target + position).copyMemory(from: start, byteCount: length)
        return true
    }
}
