import KinfolkFiles
import KinfolkStorage
import KinfolkThreads

/// What services do when the process exits without closing them.
extension Service {
    /// An open service in the list of what must finish before the process exits. It does not keep the service open.
    final class AtExit: ExitParticipant {
        /// With symbolic links followed, so that two services on the same store have the same path.
        let path: FilePath
        fileprivate weak let service: Service?

        init(_ service: Service, path: FilePath) {
            self.service = service
            self.path = Store.isServer(path) ? path : path.followed
        }

        func finish(until deadline: Deadline) {
            guard let service else { return }
            // The process exits after this. The extra reference keeps the service from being closed when others release it
            // meanwhile.
            _ = Unmanaged.passRetained(service)
            // A thread that closes it now writes what is pending.
            let isClosed: Void? = service.closing.withLock(when: { $0 != .begun }, until: deadline) { _ in }
            if isClosed != nil { service.writePending(until: deadline) }
        }
    }

    /// The other services of this process on the same store.
    package var others: [Service] {
        Exit.participants.compactMap { other in
            guard let other = other as? AtExit, other.path == atExit?.path, other !== atExit else { return nil }
            return other.service
        }
    }
}
