import Kinfolk
import KinfolkFiles
import KinfolkStorage

/// Warnings about a store, on standard error.
enum StoreWarnings {
    /// Warns that other users can see the password on the command line.
    static func password(in path: FilePath) {
        guard StoreFile.shown(path) != path.shown else { return }
        Streams.complain(
            """
            Warning: all users of this machine can see the password on this command line. Put it into the file that PGPASSFILE \
            names (~/.pgpass), or into a service file (PGSERVICEFILE), and leave it out of the address.

            """
        )
    }

    /// Warns that keys may be swapped to a disk.
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
