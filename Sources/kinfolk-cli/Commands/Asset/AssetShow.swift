import ArgumentParser
import Kinfolk
import KinfolkJSON

struct AssetShow: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the size and the SHA-256 of the files of a field.",
        discussion: """
            It reads the record, and not the files. "asset fetch" takes the index of a file of a list.
            """
    )

    @OptionGroup var field: AssetFieldOptions
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let id = try database.recordID(field.record)
        let value = try field.value(id, in: database.database(in: service))
        var table =
            value.isList
            ? Table(.number("INDEX"), .number("SIZE"), .fixed("SHA-256")) : Table(.number("SIZE"), .fixed("SHA-256"))
        for (index, asset) in value.assets.enumerated() {
            let cells = ["\(index)", "\(asset.size)", Hexadecimal.text(asset.sha256)]
            table.add(value.isList ? cells : Array(cells.dropFirst()))
        }
        return Answer(
            [
                "name": .string(id.name),
                "zone": .string(id.zone),
                "field": .string(field.field),
                "type": .string(value.isList ? FieldType.assetList.name : FieldType.asset.name),
                "assets": .array(value.assets.map { FieldValue.asset($0).json }),
            ],
            [table.isEmpty ? .line("The field \(field.field) has no file.") : .table(table)]
        )
    }
}
