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
            service.writePending(until: deadline)
        }
    }

    /// Makes other services of this process on the same store charge what they spent of leases that have expired. Otherwise the
    /// store would count those permits as not spent.
    ///
    /// If another writer has the store for longer than a second, that is left to a later charge.
    func settleEndedLeasesOfOthers() {
        for other in Exit.participants {
            guard let other = other as? AtExit, other.path == atExit?.path, other !== atExit,
                let service = other.service
            else { continue }
            service.leases.settle(
                endedAt: service.steadyClock(),
                in: service.store,
                service.keychain.ring,
                until: Deadline(in: 1)
            )
        }
    }
}
