/// CSV files of invented people.
enum PeopleFile {
    static func write(_ count: Int, to folder: Folder, consenting: Bool) throws -> String {
        let path = folder.file("people-\(count).csv")
        let file = try File(path)
        file.write("given_name,family_name,email" + (consenting ? ",consent\n" : "\n"))
        var text = ""
        for number in 0..<count {
            text += "Given\(number),Family\(number),\(address(number))" + (consenting ? ",yes\n" : "\n")
            guard text.utf8.count > 1 << 16 || number == count - 1 else { continue }
            file.write(text)
            text = ""
        }
        return path
    }

    static func address(_ number: Int) -> String { "Person.\(number)@Example.com" }
}
