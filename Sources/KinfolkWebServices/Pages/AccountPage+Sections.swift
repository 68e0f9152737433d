import Kinfolk

extension AccountPage {
    /// The last one has no button that removes it.
    private var waysToSignIn: Int { addresses.count(where: \.isVerified) + identities.count }

    func writeClaims(_ page: inout PageWriter) {
        let texts = page.texts.account
        for (number, claim) in claims.enumerated() {
            page.outside("h3", ["id": "claim-\(number)"], claim.address)
            page.text("p", texts.claim, ["address": claim.address])
            switch claim.state {
            case .open(let end):
                if let end { page.text("p", texts.claimUntil, ["date": page.texts.dateAndTime(end)]) }
                page.form(.refuseClaim, ["claim": claim.id]) { page in
                    page.element("p") { $0.button(texts.refuse, id: "refuse-\(number)", object: "claim-\(number)") }
                }
            case .refused: page.text("p", texts.claimRefused)
            case .disputed: page.text("p", texts.claimDisputed)
            }
        }
    }

    func writeAddresses(_ page: inout PageWriter) {
        let texts = page.texts
        page.element("ul", ["class": "items"]) { page in
            for (number, address) in addresses.enumerated() {
                page.element("li") { write(address, number, &$0) }
            }
        }
        page.form(.addAddress) { page in
            let field = PageField(
                id: "email",
                label: texts.account.addLabel,
                value: newAddress,
                autocomplete: "email",
                inputMode: "email",
                capitals: "none"
            )
            page.field(field, problem(texts))
            page.button(texts.account.add)
        }
    }

    private func write(_ address: Address, _ number: Int, _ page: inout PageWriter) {
        let (texts, id) = (page.texts.account, "address-\(number)")
        page.element("div") { page in
            page.outside("p", ["id": id], address.text)
            page.text("p", ["class": "meta"], address.isVerified ? texts.verified : texts.notVerified)
        }
        if !address.isVerified {
            page.form(.addAddress, ["email": address.text]) { page in
                page.button(texts.verify, id: "verify-\(number)", object: id)
            }
        }
        guard waysToSignIn > (address.isVerified ? 1 : 0) else { return }
        page.form(.removeAddress, ["email": address.text]) { page in
            page.button(texts.remove, id: "remove-\(number)", object: id)
        }
    }

    func writeIdentities(_ page: inout PageWriter) {
        page.element("ul", ["class": "items"]) { page in
            for (number, identity) in identities.enumerated() {
                page.element("li") { page in
                    page.outside("p", ["id": "identity-\(number)"], identity.provider)
                    guard waysToSignIn > 1 else { return }
                    page.form(.removeIdentity, ["identity": identity.id]) { page in
                        page.button(
                            page.texts.account.remove,
                            id: "remove-identity-\(number)",
                            object: "identity-\(number)"
                        )
                    }
                }
            }
        }
    }

    func writeApplications(_ page: inout PageWriter) {
        guard !applications.isEmpty else { return page.text("p", page.texts.account.noApplications) }
        for (number, application) in applications.enumerated() { write(application, number, &page) }
        page.form(.signOutEverywhere) { $0.button($0.texts.account.signOutEverywhere) }
    }

    private func write(_ application: Application, _ number: Int, _ page: inout PageWriter) {
        let (texts, id) = (page.texts.account, "application-\(number)")
        page.outside("h3", ["id": id], application.name)
        page.element("div", ["class": "actions application"]) { page in
            switch application.discoverability {
            case .granted: page.text("p", texts.granted)
            case .denied: page.text("p", texts.denied)
            case .undetermined: page.text("p", texts.undetermined)
            }
            let isGranted = application.discoverability == .granted
            guard isGranted || application.hasWording else { return }
            page.form(isGranted ? .hide : .askConsent, ["container": application.container]) { page in
                page.button(isGranted ? texts.hide : texts.allow, id: "change-\(number)", object: id)
            }
        }
        guard !application.devices.isEmpty else { return page.text("p", ["class": "devices"], texts.noDevices) }
        page.text("h4", texts.devicesTitle)
        page.element("ul", ["class": "items devices"]) { page in
            for (position, device) in application.devices.enumerated() {
                page.element("li") { write(device, "\(number)-\(position)", &$0) }
            }
        }
    }

    private func write(_ device: Device, _ number: String, _ page: inout PageWriter) {
        let texts = page.texts.account
        page.element("div") { page in
            page.outside("p", ["id": "device-\(number)"], device.name)
            if device.isCurrent { page.text("p", ["class": "meta"], texts.thisDevice) }
            page.text("p", ["class": "meta"], texts.signedInOn, ["date": page.texts.date(device.signedInAt)])
            if let time = device.lastUsedAt {
                page.text("p", ["class": "meta"], texts.lastUsedOn, ["date": page.texts.date(time)])
            }
        }
        page.form(.signOutDevice, ["device": device.id]) { page in
            page.button(texts.signOutDevice, id: "sign-out-\(number)", object: "device-\(number)")
        }
    }
}
