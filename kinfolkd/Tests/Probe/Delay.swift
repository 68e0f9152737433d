import NIOCore
import NIOPosix

enum Delay {
    static func run(milliseconds: Int64, _ body: @escaping @Sendable () -> Void) {
        MultiThreadedEventLoopGroup.singleton.next().scheduleTask(in: .milliseconds(milliseconds), body)
    }
}
