import Kinfolk
import KinfolkStorage

/// What is told of a store on standard error, beside the answer.
enum StoreWarnings {
    /// That others can see the password of a command line.
    static func password(in path: FilePath) {
        guard StoreFile.shown(path) != path.shown else { return }
        Streams.complain(
            """
            Warning: everybody on this machine can see the password on this command line. Put it into the file that PGPASSFILE \
            names (~/.pgpass), or into a service file (PGSERVICEFILE), and leave it out of the address.

            """
        )
    }

    /// That keys may be swapped to a disk.
    static func memory(of service: Service) {
        guard !service.isKeyMemoryLocked else { return }
        Streams.complain(
            """
            Warning: the system does not lock the keys in memory, so they could be swapped to a disk. Raise the limit \
            (ulimit -l, RLIMIT_MEMLOCK); --require-locked-memory makes this a failure.

            """
        )
    }
}
