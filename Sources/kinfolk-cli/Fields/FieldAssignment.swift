import ArgumentParser
import Kinfolk

/// `FIELD=VALUE` or `FIELD:TYPE=VALUE` on the command line.
struct FieldAssignment: ExpressibleByArgument {
    /// How to write it, for help pages.
    static let manual = """
        An assignment is FIELD=VALUE or FIELD:TYPE=VALUE. Without a TYPE a field keeps the type that it has in the \
        record; a new field is a string. The first use of a field fixes its type for all records of its record type. In \
        production, private databases add no fields: "schema add-field" does.

        TYPES
          string       motto='Per aspera'
          int64        score:int64=5
          double       ratio:double=0.25
          boolean      newsletter:boolean=true
          bytes        avatar:bytes=89504e47, in hexadecimal, or
                       avatar:bytes=@FILE
          date         since:date=2026-01-31T12:00:00Z (RFC 3339)
          location     home:location=47.37,8.54 (latitude, longitude;
                       in degrees)
          reference    friend:reference=_0123… (a user record ID),
                       list:reference=groceries (a record's name), or
                       list:reference=deleteSelf:groceries; the action is
                       none, deleteSelf or validate
          asset        a file: only "kinfolk asset save" sets it

        A list is TYPE[]: tags:string[]=red,green. Values are separated by commas, locations by semicolons; a backslash \
        escapes the comma or backslash after it. FIELD:TYPE[]= is the empty list. Quote it: brackets are special in \
        shells.
        """

    let name: String
    private let type: FieldType?
    private let text: String

    init?(argument: String) {
        // A field's name contains neither "=" nor ":"; a value may contain both.
        guard let equals = argument.firstIndex(of: "=") else { return nil }
        let left = argument[..<equals]
        text = String(argument[argument.index(after: equals)...])
        guard let colon = left.firstIndex(of: ":") else {
            name = String(left)
            type = nil
            return
        }
        guard let type = FieldType(name: left[left.index(after: colon)...]) else { return nil }
        name = String(left[..<colon])
        self.type = type
    }

    /// The value, with the given type, or else with the type of the present value.
    func value(replacing present: FieldValue?) throws(KinfolkError) -> FieldValue {
        let type = type ?? present?.type ?? .string
        return try FieldText(text, of: "the field \(name)").value(of: type)
    }
}

extension FieldType {
    /// As people write and read it: `int64`, `string[]`.
    var name: String {
        let word = "\(self)"
        return word.hasSuffix("List") ? word.dropLast(4) + "[]" : word
    }

    /// - Parameter name: ``name``, or the name of the case: `stringList`.
    init?(name: some StringProtocol) {
        guard let type = FieldType.allCases.first(where: { $0.name == name || "\($0)" == name }) else { return nil }
        self = type
    }
}
