import Kinfolk
import KinfolkJSON

/// `discoverability`: whether others who have an address of the caller can find them in the container.
enum OwnDiscoverability {
    private static let names: [(Discoverability, String)] = [
        (.undetermined, "UNDETERMINED"), (.granted, "GRANTED"), (.denied, "DENIED"),
    ]

    /// The caller's decision. With a decision in the body, it is noted first, with the words that the caller was asked.
    static func answer(_ call: Call) throws(WebError) -> JSON {
        if let name = try call.members.text("discoverability") {
            guard let decision = names.first(where: { $0.1 == name })?.0, decision != .undetermined else {
                throw .malformed("discoverability", "GRANTED or DENIED")
            }
            guard let wording = try call.members.object("wording") else { throw .missing("wording") }
            let words: ConsentWording
            do throws(WebError) {
                words = ConsentWording(try wording.requiredText("text"), version: try wording.requiredText("version"))
            } catch { throw error.within("wording") }
            try calling { () throws(KinfolkError) in try call.session.setDiscoverability(decision, wording: words) }
        }
        let present = try calling { () throws(KinfolkError) in try call.session.discoverability() }
        return ["discoverability": .string(names.first { $0.0 == present }?.1 ?? "")]
    }
}
