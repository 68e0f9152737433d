import Kinfolk

/// Steps that change the schema.
extension StepGenerator {
    mutating func addField() -> ModelStep {
        let (name, type) = (field(), type())
        let fieldType = self.type(of: name)
        let field = chance(2) ? ModelField(fieldType, of: type) : ModelField(fieldType, isQueryable: chance(2))
        return .addField(environment(), name, field, to: type, service: service())
    }

    mutating func declare() -> ModelStep {
        let name = field()
        let fieldType = chance(20) ? anyType() : type(of: name)
        let field = ModelField(fieldType, isQueryable: chance(2))
        return .declare(environment(), name, field, of: type(), service: service())
    }

    mutating func declareGrants() -> ModelStep {
        let type = chance(10) ? "Users" : type()
        var grants = RecordModel.standardGrants(of: type)
        switch below(3) {
        case 0: break
        case 1: grants[role()] = permissions()
        default:
            grants = [:]
            for _ in 0...below(4) { grants[chance(2) ? role() : systemRole()] = permissions() }
        }
        return .declareGrants(environment(), grants, on: type, service: service())
    }

    /// At least one.
    mutating func permissions() -> Set<ModelPermission> {
        let first = ModelPermission.allCases[below(ModelPermission.allCases.count)]
        return Set(ModelPermission.allCases.filter { _ in chance(2) } + [first])
    }
}
