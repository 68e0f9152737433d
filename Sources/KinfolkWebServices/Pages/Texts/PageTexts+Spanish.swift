extension PageTexts {
    static let spanish = PageTexts(
        common: Common(
            languages: "Idioma",
            errorTitle: "Hay un problema",
            error: "Error:",
            minutes: CountedText(one: "1 minuto", other: "{count} minutos"),
            hours: CountedText(one: "1 hora", other: "{count} horas"),
            months: [
                "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre",
                "noviembre", "diciembre",
            ],
            firstDay: "1",
            date: "{day} de {month} de {year}",
            dateAndTime: "{date}, {time} UTC",
            back: "Volver",
            tooManyCodes: "Se han pedido demasiados códigos. Espere {duration} e inténtelo de nuevo.",
            emailLabel: "Correo electrónico",
            emailMissing: "Escriba su correo electrónico.",
            emailInvalid: "Este correo electrónico no es válido. Escríbalo así: nombre@example.com.",
            signInAgain: Message(
                title: "Inicie sesión de nuevo",
                text: "Así protegemos su cuenta: para este paso debe haber iniciado sesión en los últimos 10 minutos."
            ),
            signInAgainButton: "Iniciar sesión de nuevo"
        ),
        email: Email(
            title: "Iniciar sesión en {application}",
            titleOfAccount: "Iniciar sesión en su cuenta",
            intro: "Escriba su correo electrónico. Le enviaremos un código para iniciar sesión.",
            privacy: "{application} no ve su correo electrónico.",
            keep: "Mantener la sesión iniciada en este dispositivo",
            keepHint: "No marque esta casilla si otras personas usan el dispositivo.",
            submit: "Enviar código",
            providersTitle: "Otras formas de iniciar sesión",
            provider: "Continuar con {provider}",
            person: "Continuar como {provider}",
            notSent: "No hemos podido enviar el correo. Inténtelo de nuevo más tarde."
        ),
        code: Code(
            title: "Escriba su código",
            titleOfAddition: "Confirme su correo electrónico",
            titleOfRefusal: "Confirme que la dirección es suya",
            signingIn: "Está iniciando sesión en {application}.",
            sent: "Hemos enviado un código a {address}. Es válido durante 10 minutos.",
            sentAgain: "Hemos enviado otro código. Solo es válido el más reciente.",
            label: "Código",
            hint: "8 caracteres, por ejemplo ABCD-\u{2060}EFGH. Puede usar minúsculas y omitir el guion.",
            submit: "Continuar",
            noCodeTitle: "¿No ha recibido el código?",
            noCode: "Puede tardar un minuto en llegar. Mire también en la carpeta de correo no deseado.",
            another: "Enviar otro código",
            passTitle: "Usar el pase de un correo anterior",
            passLabel: "Pase",
            passHint: """
                Cada uno de nuestros correos contiene un pase. Si se han pedido demasiados códigos para su dirección, con el \
                pase de un correo de las últimas 24 horas puede recibir otro código.
                """,
            otherAddress: "Usar otra dirección",
            missing: "Escriba el código del correo.",
            wrong: "El código no es correcto, o se ha probado demasiadas veces. Compruébelo, o pida otro código.",
            expired: "El código ya no es válido. Pida otro código."
        ),
        consent: Consent(
            title: "¿Pueden encontrarle en {application}?",
            meaning: """
                Si acepta, las personas que ya tienen su correo electrónico pueden encontrarle en {application}. Entonces \
                ven su nombre.
                """,
            wording: "{application} dice:",
            yes: "Sí, pueden encontrarme",
            no: "No, no pueden encontrarme",
            later: "Puede cambiarlo en cualquier momento en la página de su cuenta."
        ),
        linkIdentity: LinkIdentity(
            title: "¿Vincular {provider} a su cuenta?",
            proved: "En este navegador, alguien acaba de iniciar sesión en {provider} como {person}.",
            meaning: """
                Si lo vincula, esa persona podrá entrar siempre en su cuenta con {provider}. Si no es usted, por \
                ejemplo en un ordenador compartido, no lo vincule.
                """,
            yes: "Soy yo: vincular",
            no: "No vincular"
        ),
        newAccount: NewAccount(
            title: "¿Cómo se llama?",
            intro: "Las personas que pueden encontrarle ven este nombre. Puede dejar los dos campos vacíos.",
            givenName: "Nombre (opcional)",
            familyName: "Apellidos (opcional)",
            submit: "Continuar",
            tooLong: "El nombre es demasiado largo. Acórtelo."
        ),
        done: Done(
            title: "Ha iniciado sesión",
            redirect: "Está volviendo a {application}.",
            link: "Continuar a {application}",
            window: "Esta ventana se cierra sola. Si sigue abierta, ciérrela y vuelva a {application}.",
            lost: """
                Esta ventana ha perdido la conexión con {application}. Ciérrela, vuelva a {application} e inicie sesión de \
                nuevo.
                """,
            withoutScript: """
                JavaScript está desactivado, así que esta ventana no puede comunicar a {application} que ha iniciado \
                sesión. Active JavaScript e inicie sesión de nuevo.
                """,
            signedOut: Message(title: "Ha cerrado la sesión", text: "Ya puede cerrar esta ventana."),
            erased: Message(
                title: "Su cuenta se ha borrado",
                text: "Ya nadie puede acceder a sus datos. Lo que tarda más en borrarse se está borrando ahora."
            )
        ),
        errors: Errors(
            linkExpired: Message(
                title: "Este enlace ha caducado",
                text: "Vuelva a la aplicación e inicie sesión de nuevo desde allí."
            ),
            formRejected: Message(
                title: "Este formulario ya no es válido",
                text: "Empiece de nuevo. Su navegador debe aceptar las cookies de este sitio."
            ),
            applicationUnknown: Message(
                title: "Aplicación desconocida",
                text: """
                    La aplicación desde la que ha llegado no está registrada en este servicio. Avise a su desarrollador.
                    """
            ),
            returnURLNotRegistered: Message(
                title: "No es posible volver a la aplicación",
                text: """
                    {application} ha indicado una dirección de retorno que no está registrada. Por su seguridad, el inicio \
                    de sesión termina aquí. Avise al desarrollador de la aplicación.
                    """
            ),
            originNotRegistered: Message(
                title: "Este sitio web no puede usar el inicio de sesión",
                text: """
                    El sitio web que ha abierto esta ventana no está registrado para {application}. Por su seguridad, el \
                    inicio de sesión termina aquí. Avise al desarrollador de la aplicación.
                    """
            ),
            accountSuspended: Message(
                title: "Su cuenta está suspendida",
                text: "De momento no puede iniciar sesión. Póngase en contacto con el operador de este servicio."
            ),
            providerFailed: Message(
                title: "No se ha podido iniciar sesión con {provider}",
                text: "{provider} no ha confirmado su identidad. Inténtelo de nuevo o inicie sesión de otra forma."
            ),
            tooManyRequests: Message(
                title: "Demasiadas solicitudes",
                text: "Espere {duration} e inténtelo de nuevo."
            ),
            serviceUnavailable: Message(
                title: "El servicio no está disponible",
                text: "Inténtelo de nuevo dentro de unos minutos."
            ),
            pageNotFound: Message(
                title: "Página no encontrada",
                text: "No hay ninguna página en esta dirección. Compruebe que no tenga errores."
            ),
            detail: "Detalle técnico: {detail}",
            startAgain: "Empezar de nuevo"
        ),
        account: Account(
            title: "Su cuenta",
            signOut: "Cerrar sesión",
            changed: Changed(
                addressAdded: "La dirección ya está verificada.",
                addressClaimed: """
                    Otra cuenta tiene esta dirección. Su titular recibe un mensaje y puede rechazarlo durante un tiempo. Después, elija de nuevo «Verificar».
                    """,
                addressRemoved: "La dirección se ha quitado.",
                claimRefused: "Ha rechazado la reclamación. La dirección sigue en su cuenta.",
                identityRemoved: "Se ha eliminado esta forma de iniciar sesión.",
                discoverability: "Su elección se ha guardado.",
                signedOut: "Se ha cerrado la sesión en el dispositivo."
            ),
            addressesTitle: "Direcciones de correo",
            verified: "Verificada",
            notVerified: "No verificada",
            verify: "Verificar",
            remove: "Quitar",
            addLabel: "Añadir un correo electrónico",
            add: "Añadir",
            claimsTitle: "Reclamaciones de sus direcciones",
            claim: """
                Otra persona ha demostrado que lee el correo de {address} y quiere pasar esta dirección a su propia cuenta.
                """,
            claimUntil: "Si usted no la rechaza, podrá quedarse con la dirección a partir de esta fecha: {date}.",
            claimRefused: "Ha rechazado la reclamación. La dirección sigue en su cuenta.",
            claimDisputed: """
                Usted la ha rechazado y la otra persona ha vuelto a demostrar que la dirección es suya. Decide el operador \
                de este servicio.
                """,
            refuse: "Rechazar",
            applicationsTitle: "Aplicaciones",
            noApplications: "Todavía no usa ninguna aplicación.",
            granted: "Pueden encontrarle.",
            denied: "No pueden encontrarle.",
            undetermined: "Todavía no se le ha preguntado. Hasta entonces, no pueden encontrarle.",
            hide: "Dejar de aparecer",
            allow: "Permitir que me encuentren",
            devicesTitle: "Dispositivos con sesión iniciada",
            noDevices: "No tiene ninguna sesión iniciada.",
            thisDevice: "Este dispositivo",
            signedInOn: "Sesión iniciada el {date}",
            lastUsedOn: "Último uso el {date}",
            signOutDevice: "Cerrar sesión",
            signOutEverywhere: "Cerrar todas las sesiones",
            dataTitle: "Sus datos",
            export: "Descargar sus datos",
            erase: "Borrar su cuenta"
        ),
        confirm: Confirm(
            erase: Message(
                title: "¿Borrar su cuenta?",
                text: "Se borrará su cuenta con todo lo que ha guardado, en todas las aplicaciones."
            ),
            eraseUndo: "Esta acción no se puede deshacer.",
            eraseExport: "Descargar antes sus datos",
            word: "borrar",
            wordLabel: "Para confirmar, escriba la palabra «{word}»",
            wordWrong: "La palabra no coincide. Escriba «{word}».",
            eraseButton: "Borrar mi cuenta",
            signOutEverywhere: Message(
                title: "¿Cerrar todas las sesiones?",
                text: "Se cerrarán sus sesiones en todas las aplicaciones y en todos los dispositivos, también en este."
            ),
            signOutEverywhereButton: "Cerrar todas las sesiones",
            refuse: Message(
                title: "¿Rechazar la reclamación de {address}?",
                text: """
                    La dirección seguirá en su cuenta. Primero enviaremos un código a {address} para asegurarnos de que es \
                    suya.
                    """
            ),
            refuseButton: "Enviar código y rechazar",
            removeAddress: Message(
                title: "¿Quitar {address}?",
                text: "Ya no podrá iniciar sesión con esta dirección y nadie podrá encontrarle por ella."
            ),
            removeAddressButton: "Quitar dirección",
            cancel: "Cancelar"
        ),
        export: Export(
            title: "Descargar sus datos",
            content: """
                El archivo contiene todo lo que este servicio guarda sobre usted, en todas las aplicaciones (formato: JSON).
                """,
            care: "No está cifrado. Guárdelo en un lugar seguro.",
            submit: "Descargar archivo"
        ),
        mail: Mail(
            codeSubject: "Su código para {application}",
            codeSignIn: "Su código para iniciar sesión en {application}:",
            codeAddition: "Su código para añadir este correo electrónico a su cuenta ({application}):",
            codeRefusal: "Su código para rechazar la reclamación de este correo electrónico ({application}):",
            validity: "El código es válido durante 10 minutos. No se lo dé a nadie.",
            pass: """
                Si en las próximas 24 horas no recibe ningún código porque se han pedido demasiados para su dirección, \
                escriba este pase en la misma página:
                """,
            notYou: """
                ¿No ha pedido este código? Entonces alguien ha escrito su dirección, quizá por error. Puede ignorar este \
                correo: sin el código no ocurre nada.
                """,
            claimSubject: "{application}: alguien reclama su correo electrónico",
            claim: """
                Alguien ha demostrado que puede leer el correo de {address} y quiere pasar esta dirección de su cuenta (la \
                de usted) a otra. Recibe este correo porque la dirección pertenece a su cuenta de {application}.
                """,
            claimWait: "Si usted no hace nada, esa persona podrá quedarse con la dirección dentro de {duration}.",
            claimRefuse: "Si no ha sido usted, inicie sesión aquí y elija «Rechazar»:",
            claimMailbox: "Cambie también la contraseña de este buzón, porque otra persona puede leerlo.",
            claimYours: """
                Si ha sido usted, porque quiere usar la dirección con otra cuenta, no tiene que hacer nada.
                """,
            identitySubject: "{application}: una nueva forma de entrar en su cuenta",
            identity: "Desde ahora, {person} puede entrar en su cuenta de {application} con {provider}.",
            identityRemove: """
                Si no ha sido usted, inicie sesión aquí, quite esta forma de entrar y cierre la sesión en todas \
                partes:
                """
        )
    )
}
