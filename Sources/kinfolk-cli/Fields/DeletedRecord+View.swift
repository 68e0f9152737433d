import Kinfolk
import KinfolkJSON

extension DeletedRecord {
    var json: JSON { ["name": .string(id.name), "zone": .string(id.zone), "type": .string(type)] }
}
