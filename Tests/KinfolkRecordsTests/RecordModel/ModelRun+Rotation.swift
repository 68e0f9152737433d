import Kinfolk
import KinfolkRecords
import KinfolkStorage

/// Keys are rotated, while people go on.
extension ModelRun {
    func beginRotation(_ isLeaked: Bool, _ service: Int) throws {
        guard !isRotating else { return }
        _ = try services[service].beginRotation(to: nil, isLeaked: isLeaked)
        isRotating = true
        // Tokens that are sealed under a key that leaked are not accepted any more.
        if isLeaked { model.leaks += 1 }
    }

    /// Renews some accounts, or the records of an environment.
    func stepRotation(of environment: ContainerEnvironment?, _ service: Int) throws {
        guard isRotating else { return }
        guard let environment else {
            _ = try services[service].rotateBatch()
            return
        }
        let container = try container(environment, service)
        var rotation = RecordRotation(services[service], container: container.number)
        while !rotation.isOver {
            try services[service].store.write { db in try rotation.renewBatch(db) }
        }
    }

    func finishRotation(_ service: Int) throws {
        _ = try services[service].rotateKeys()
        isRotating = false
    }
}
