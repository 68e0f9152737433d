/// A prepared statement of one connection.
///
/// Columns are read between a ``step()`` that returned true and the next. A column of another type than asked for reads as
/// zero or empty, and then ``checkValues()`` throws: the schema is ours, so only damage or another program puts one there.
package protocol Statement: AnyObject {
    // MARK: What it is given

    func bind(_ values: [Value]) throws
    func bind(_ number: Int64, at index: Int32) throws
    /// Binds bytes that stay where they are until the statement is reset or bound anew.
    func bind(inPlace bytes: UnsafeRawBufferPointer, at index: Int32) throws

    // MARK: One run

    /// Goes to the next row. False after the last one.
    func step() throws -> Bool
    /// Makes the statement ready for the next run.
    func reset()
    /// Lets go of the bound values too.
    func clear()

    func isNull(_ column: Int32) -> Bool
    func integer(_ column: Int32) -> Int64
    func real(_ column: Int32) -> Double
    /// The bytes of a column, in the engine's memory, until the next step.
    func bytes(inPlace column: Int32) -> UnsafeRawBufferPointer

    /// - Throws: ``StorageError/Kind/corrupt`` if a column was read that has another type than asked for, and is not NULL.
    func checkValues() throws

    // MARK: Many runs

    /// Runs it for its changes. On a server that is done with whatever is asked next, at the latest when the transaction ends,
    /// and fails there. `changes` is told then how many rows it changed.
    func enqueue(_ changes: @escaping (Int) -> Void) throws
    /// Has all runs done.
    func flush() throws
    /// Runs a query so many times: `bind` gives a run its values, and `body` takes its rows by ``step()``.
    func run(_ count: Int, bind: (Int) throws -> Void, _ body: (Int) throws -> Void) throws
    /// Runs a query for each of `keys`, which its SQL calls `= ANY($n)` and whose column is its first one. Calls `body` at each
    /// row with the position of its key.
    func lookUp(_ keys: KeyList, at index: Int32, _ body: (_ position: Int) throws -> Void) throws

    // MARK: For those who count work

    /// How many steps it has taken since the last call, in the engine's own measure.
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

    /// Copies a column of so many bytes: for queries of many rows. False if it has another number, or there is no room.
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
