/// vCard files as phones export them, with photos.
enum VCardFile {
    static let cards = 10_000

    /// Writes 10,000 cards and returns the file's path. With photos of six lines the file has 6 MB.
    static func write(to folder: Folder, photoLines: Int) throws -> String {
        let path = folder.file("contacts-\(photoLines).vcf")
        let photo = String(repeating: " " + String(repeating: "QUJDREVGR0hJ", count: 6) + "\r\n", count: photoLines)
        let file = try File(path)
        for number in 0..<cards {
            file.write(
                """
                BEGIN:VCARD\r
                VERSION:3.0\r
                N:Person;Number \(number);;;\r
                FN:Number \(number) Person\r
                TEL;TYPE=CELL:+1-555-0100\r
                PHOTO;ENCODING=b;TYPE=JPEG:QUJD\r
                \(photo)item1.EMAIL;TYPE=INTERNET:Person.\(number)@Example.com\r
                item1.X-ABLabel:Work\r
                NOTE:A note that says nothing much about a person who does not exist.\r
                END:VCARD\r

                """
            )
        }
        return path
    }
}
