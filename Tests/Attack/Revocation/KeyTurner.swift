import Kinfolk
import KinfolkThreads

/// Rotates the keys of a store again and again, while others go on.
struct KeyTurner {
    let service: Service

    /// Until `isOver`. Returns how often.
    func turn(until isOver: () -> Bool) throws -> Int {
        var count = 0
        while !isOver() {
            _ = try service.rotateKeys()
            count += 1
            // Races that meet no rotation are wanted too.
            let pause = Deadline(in: 1)
            while !isOver(), !pause.hasPassed { Thread.sleep(seconds: 0.01) }
        }
        return count
    }
}
