// Settings that two devices of one person share. The program makes its store, "settings.db", in the folder where it runs, and starts
// itself a second time as the other device.

import Foundation
import Kinfolk

let isTablet = CommandLine.arguments.count > 1
let service = try Service.open("settings.db")
let notes = try service.openOrCreateContainer("com.example.notes").container
let ada = try service.findOrCreateAccount(email: "ada@example.com", name: PersonName(givenName: "Ada")).account

// Two processes print, so each line is written at once.
func say(_ line: String) {
    print(line)
    fflush(nil)
}

// 1. Each device has a name, and all devices use the same keys.
let session = try notes.session(for: ada, device: isTablet ? "tablet" : "laptop")
let settings = session.keyValueStore()

// 2. A device is told of keys that others have set or removed.
func wait(forKey key: String) async throws -> String? {
    for await change in try await settings.changes() where change.keys.contains(key) {
        return try await settings.value(forKey: key)?.string
    }
    return nil
}

if isTablet {
    say("tablet sees: theme = \(try await wait(forKey: "theme") ?? "none")")
    try settings.set(16, forKey: "size on tablet")
    try settings.set("light", forKey: "theme")
} else {
    let tablet = Process()
    tablet.executableURL = URL(filePath: "/proc/self/exe")
    tablet.arguments = ["tablet"]
    try tablet.run()

    // 3. A key of this device, and a key that both devices set: both then read the later value.
    try settings.set(12, forKey: "size on laptop")
    try settings.set("dark", forKey: "theme")
    say("laptop sees: theme = \(try await wait(forKey: "theme") ?? "none")")
    tablet.waitUntilExit()
    guard tablet.terminationStatus == 0 else { fatalError("The other device has failed.") }
    for (key, value) in try settings.entries() {
        say("\(key) = \(value.string ?? value.int64.map { "\($0)" } ?? "")")
    }
}
