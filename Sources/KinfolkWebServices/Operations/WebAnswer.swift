import KinfolkJSON

/// What an operation answers.
struct WebAnswer: Sendable {
    let json: JSON
    let status: Int

    init(_ json: JSON, status: Int = 200) { (self.json, self.status) = (json, status) }
}
