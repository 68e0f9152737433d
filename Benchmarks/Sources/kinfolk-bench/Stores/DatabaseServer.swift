import Floors
import Glibc

/// A PostgreSQL server for the benchmarks, with the stores of earlier runs. It stops when this object is released, or when
/// the process ends in any way.
final class DatabaseServer {
    let address: String
    /// The output of the server's script.
    private let output: UnsafeMutablePointer<FILE>
    /// One end of a pipe to which nothing is written. The server runs as long as it is open.
    private let life: Int32

    init(_ setting: Setting) throws {
        guard let script = setting.postgresql else { throw Failure("--postgresql names the script of a server.") }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0, fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0 else { throw Failure("There is no pipe.") }
        defer { close(ends[0]) }
        let command = """
            KINFOLK_TEST_CLUSTER='\(setting.stores.path)/postgresql' KINFOLK_TEST_FSYNC=on KINFOLK_TEST_BUFFERS=1GB \
            '\(script)' sh -c 'echo "$KINFOLK_TEST_STORE"; exec cat /dev/fd/\(ends[0])'
            """
        fflush(nil)
        guard let output = popen(command, "r") else { throw Failure("\(script) cannot be run.") }
        var line = [CChar](repeating: 0, count: 1_024)
        guard fgets(&line, Int32(line.count), output) != nil else {
            close(ends[1])
            pclose(output)
            throw Failure("No PostgreSQL server could be started.")
        }
        self.output = output
        life = ends[1]
        address = String(decoding: line.prefix { $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        close(life)
        pclose(output)
    }

    /// The address of a store in this schema.
    func store(_ schema: String) -> String { "\(address)&schema=\(schema)" }

    /// Removes the schemas whose names begin with `run_`: those of this run, and of runs that were killed.
    func removeRuns() {
        let floor = floor_server_connect(address, "public")
        floor_server_run(
            floor,
            """
            DO $$ DECLARE name TEXT; BEGIN
            FOR name IN SELECT nspname FROM pg_namespace WHERE nspname LIKE 'run\\_%' LOOP
            EXECUTE format('DROP SCHEMA %I CASCADE', name); END LOOP; END $$
            """
        )
        floor_server_close(floor)
    }
}
