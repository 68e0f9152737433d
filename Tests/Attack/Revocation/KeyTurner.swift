import Kinfolk
import KinfolkThreads

/// Rotates the keys of a store repeatedly, while other threads work.
struct KeyTurner {
    let service: Service

    /// Rotates until `isOver`. Returns the number of rotations.
    func turn(until isOver: () -> Bool) throws -> Int {
        var count = 0
        while !isOver() {
            _ = try service.rotateKeys()
            count += 1
            // Pauses, so that some races run without a rotation.
            let pause = Deadline(in: 1)
            while !isOver(), !pause.hasPassed { Thread.sleep(seconds: 0.01) }
        }
        return count
    }
}
