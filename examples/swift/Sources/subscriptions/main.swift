// Subscriptions, step by step. The program makes its store, "subscriptions.db", in the folder where it runs.

import Kinfolk

let service = try Service.open("subscriptions.db")
let chat = try service.createContainer("com.example.chat")
try chat.applySchema("DEFINE SCHEMA RECORD TYPE Message ( room STRING QUERYABLE, text STRING );")
let ada = try service.createAccount(name: PersonName(givenName: "Ada"))
let grace = try chat.session(for: service.createAccount(name: PersonName(givenName: "Grace")))

// 1. A subscription is saved once, on a device with a name.
let laptop = try chat.session(for: ada, device: "laptop")
let query = try Query("Message", where: QueryPredicate("room = %@", .string("garden")))
var garden = try Subscription(query: query, options: .firesOnRecordCreation, id: "garden")
garden.info.desiredKeys = ["text"]
try laptop.publicDatabase.save(garden)

// 2. Somebody saves records. The save does not wait for those who are notified.
func post(_ text: String, in room: String) throws {
    var message = try Record(type: "Message")
    try message.set("room", to: .string(room))
    try message.set("text", to: .string(text))
    _ = try grace.publicDatabase.save(message)
}
try post("The roses are open", in: "garden")
try post("Who has the key?", in: "kitchen")

// 3. The device fetches what waits, or waits for what comes, and says what it has handled.
func text(of notification: SubscriptionNotification) -> String {
    guard case .string(let text)? = notification.fields["text"] else { return "nothing" }
    return text
}
for notification in try laptop.notifications(waitingFor: 10) {
    print("Fetched: \(text(of: notification))")
    try laptop.acknowledge(notification)
}

// 4. Or the notifications come by themselves.
func showNext() async throws {
    for await notification in try await laptop.notificationStream() {
        print("Came: \(text(of: notification))")
        break
    }
}
try post("And the lilies", in: "garden")
try await showNext()

// 5. Devices and subscriptions are listed and removed.
print("Devices: \(try laptop.devices().compactMap(\.name))")
try laptop.publicDatabase.deleteSubscription("garden")
try laptop.removeDevice(named: "laptop")
print("Subscriptions: \(try laptop.publicDatabase.subscriptions().count)")
