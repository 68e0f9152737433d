/// People who do not exist.
enum People {
    /// A CSV file of people who all agreed to be found.
    static func write(_ count: Int, to folder: Folder) throws -> String {
        var text = "given_name,family_name,email,consent\n"
        for number in 0..<count { text += "Given\(number),Family\(number),\(address(number)),yes\n" }
        return try folder.write(text, to: "people-\(count).csv")
    }

    /// Addresses of people who are there, spread over all of them, between others of nobody.
    static func addresses(present: Int, absent: Int, of count: Int) -> [String] {
        let total = present + absent
        return (0..<total).map { index in
            let isPresent = index % (total / present) == 0
            return isPresent ? address(index / (total / present) * (count / present)) : "nobody.\(index)@example.org"
        }
    }

    static func grouped(_ number: Int) -> String {
        number % 1_000 == 0 && number >= 1_000 ? grouped(number / 1_000) + ",000" : String(number)
    }

    private static func address(_ number: Int) -> String { "person.\(number)@example.com" }
}
