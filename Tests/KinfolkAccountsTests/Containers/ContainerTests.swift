import Kinfolk
import ServiceSupport
import TestSupport
import Testing

@Suite struct ContainerTests {
    private let store: TestService
    private var service: Service { store.service }

    init() throws { store = try TestService() }

    @Test(arguments: Search.some(["com.example", "com.example.chat", "a.b", "c-o-m.Example.9", "0.1"]))
    func aNameInReverseDNSIsAccepted(name: String) throws {
        #expect(try service.createContainer(name).name == name)
        #expect(try service.container(name).name == name)
    }

    @Test(
        arguments: Search.some([
            "", ".", "com", "com.", ".com", "com..example", "-com.example", "com-.example", "com.exa mple",
            "com.exämple",
            "com.example\u{0}", "com/example", "com.example_", "com.\(String(repeating: "x", count: 252))",
        ])
    )
    func aMalformedNameIsRefused(name: String) {
        expect(.invalidArgument) { try service.createContainer(name) }
        expect(.invalidArgument) { try service.container(name) }
    }

    @Test func aNameHasAtMost255Bytes() throws {
        _ = try service.createContainer("com." + String(repeating: "x", count: 251))
    }

    @Test func aNameCanBeUsedOnce() throws {
        expect(.conflict) { try service.createContainer("com.example.notes") }
        expect(.unknownItem) { try service.container("com.example.chat") }
    }

    @Test func containersAreListedByName() throws {
        for name in ["org.example.b", "com.example.z", "com.example.a"] { _ = try service.createContainer(name) }
        #expect(
            try service.containers().map(\.name)
                == ["com.example.a", "com.example.notes", "com.example.z", "org.example.b"]
        )
    }

    @Test func eachContainerHasItsOwnRateLimit() throws {
        let other = try service.createContainer("com.example.chat")
        try other.setPermitLimit(.test(capacity: 3, perHour: 0.5))
        #expect(try service.container("com.example.chat").permitLimit() == PermitLimit(capacity: 3, perHour: 0.5))
        #expect(try store.container.permitLimit() == .test(capacity: 20_000, perHour: 10))
    }

    @Test(arguments: Search.some([(0, 1), (1, -1), (1, .nan), (1, .infinity)] as [(UInt32, Double)]))
    func anInvalidRateLimitIsRefused(capacity: UInt32, perHour: Double) throws {
        expect(.invalidArgument) {
            try store.container.setPermitLimit(PermitLimit(capacity: capacity, perHour: perHour))
        }
        #expect(try store.container.permitLimit() == .test(capacity: 20_000, perHour: 10))
    }
}
