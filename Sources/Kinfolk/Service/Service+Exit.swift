import KinfolkStorage
import KinfolkThreads

/// What services do when the process ends, or would do if they were closed.
extension Service {
    /// An open service in the list of what must finish before the process ends. It does not keep the service open.
    final class AtExit: ExitParticipant {
        let path: FilePath
        fileprivate weak let service: Service?

        init(_ service: Service, path: FilePath) {
            self.service = service
            self.path = path
        }

        func finish(until deadline: Deadline) {
            guard let service else { return }
            // The program ends with this: a service that others let go of meanwhile is not closed any more.
            _ = Unmanaged.passRetained(service)
            service.leases.settle(in: service.store, service.keychain.ring, until: deadline)
            service.activity.writeAll(to: service.store, lane: service.lane, until: deadline)
        }
    }

    /// Has other services of this process, on the same store, charge what they have spent of leases that are not valid any more:
    /// otherwise the store would count it as not spent.
    func settleEndedLeasesOfOthers() {
        for other in Exit.participants {
            guard let other = other as? AtExit, other.path == atExit?.path, other !== atExit,
                let service = other.service
            else { continue }
            service.leases.settle(endedAt: service.steadyClock(), in: service.store, service.keychain.ring)
        }
    }
}
