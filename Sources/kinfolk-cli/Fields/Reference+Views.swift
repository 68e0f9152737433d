import Kinfolk
import KinfolkJSON

extension Reference {
    /// A user record ID, or an object with the name, the zone and the action.
    var json: JSON {
        if let user { return .text(user) }
        return ["name": .string(target.name), "zone": .string(target.zone), "action": .string("\(action)")]
    }

    /// The form that ``init(text:)`` reads.
    var text: String {
        action == .none && Reference.action(of: target.name) == nil ? target.name : "\(action):\(target.name)"
    }

    /// - Parameter text: A record name; or an action, a colon and a record name.
    init(text: String) throws(KinfolkError) {
        let action = Reference.action(of: text)
        let name = action == nil ? text : String(text.drop { $0 != ":" }.dropFirst())
        try self.init(named: name, zone: nil, action: action ?? .none)
    }

    /// The action that a text begins with.
    private static func action(of text: String) -> ReferenceAction? {
        ReferenceAction.allCases.first { text.hasPrefix("\($0):") }
    }
}
