/// The headers that address books, mail programs and spreadsheets write for names and addresses, in many languages.
///
/// Thunderbird translates its headers into 71 languages and Outlook into about 30; Google Contacts and others write English. Only
/// letters are compared, in lower case: `E-mail 1 - Value` and `email value` are equal.
enum CSVHeaderWords {
    /// What a header says its column holds.
    enum Meaning {
        case address
        case fullName
        case givenName
        case additionalName
        case familyName
        case plainName
        case substitute
    }

    /// The meaning of a header, or nil if it is about something else or in an unknown language.
    static func meaning(of header: String) -> Meaning? { meanings[normalized(header)] }

    private static func normalized(_ header: some StringProtocol) -> String { header.lowercased().filter(\.isLetter) }

    private static let meanings: [String: Meaning] = {
        var meanings: [String: Meaning] = [:]
        for (meaning, words) in [
            (Meaning.address, addresses), (.fullName, fullNames), (.givenName, givenNames),
            (.additionalName, additionalNames),
            (.familyName, familyNames), (.plainName, plainNames), (.substitute, substitutes),
        ] {
            for word in words.split(separator: ",") { meanings[normalized(word)] = meaning }
        }
        return meanings
    }()

    /// E-mail addresses. Address columns with other headers are detected by their cells.
    private static let addresses = """
        Adresa de e-mail, Adresa e-pošte, Adres e-mail, Adresse de messagerie, Adresse email, \
        Adresse email primari, Adresse e-mail principale, Adresse e-mail secondaire, Adresse email secundari, \
        Adresse électronique principale, Adresse électronique secondaire, Adresă de e-mail, Adresă e-mail, \
        Adreça electrònica principal, Adreça electrònica secundària, Alamat email, Alternate Email, \
        Alternate Email Address, Antrinis el. pašto adresas, Asosiy e-pochta, Auka tölvupóstfang, \
        Aðal tölvupóstfang, Bigarren e-posta, Birinci e-posta, Business Email, Correo, Correo-e, \
        Correo electrónico, Correo principal, Correo secundario, Courriel, Courrier électronique, \
        Dirección de correo electrónico, Dirección de correo electrónico principal, \
        Dirección de correo electrónico secundaria, Direición de corréu-e principal, \
        Direición de corréu-e secundaria, Dodatkowy e-mail, Dodatna adresa e-pošte, Dodatna e-pošta, \
        Druhý e-mail, Earste e-mail, E-bost Eilradd, Eil postel, El. paštas, Elsődleges e-mail, Email, \
        Email Address, Email Addresses, E-mailadres, E-mail adresa, E-Mail-Adresse, Email Chính, Email cím, \
        Email Dytësor, Email Home, Email Kedua, Email Other, E-mailová adresa, Email Parësor, Email Personal, \
        Email phụ, E-mail primar, Email primaria, Email primário, Email principal, Emails, Email secondaria, \
        E-mail secundar, Email secundário, Email Utama, E-mail 1 - Value, Email Work, E-mel Sekunder, \
        E-mel Utama, Enderezo de correo adicional, Enderezo de correo principal, Endereço de correio eletrónico, \
        Endereço de e-mail, Ensisijainen sähköposti, E-pasts, E-post, E-posta, E-posta Adresi, E-postadress, \
        E-postadresse, E-posta nagusia, E-poštni naslov, Eメール, Fosheoladh Ríomhphoist, Glavna adresa e-pošte, \
        Glavna e-pošta, Home Email, İkinci e-posta, Ikkinchi e-pochta, Imayl amezwaru, Imayl wis sin, \
        Indirizzo posta elettronica, Mail, Mail Address, Mailadresse, Muu e-posti aadress, Másodlagos e-mail, \
        Nab'ey Taqoya'l, Other Email, Papildu epasts, Peamine e-posti aadress, Personal Email, \
        Pirminis el. pašto adresas, Poczta, Poczta elektroniczna, Podstawowy e-mail, Post-dealain eile, \
        Post elektroniczny, Postel kentañ, Prif E-bost, Primair e-mailadres, Primarna e-mailowa adresa, \
        Primarna e-mejlowa adresa, Primary Email, Primary Email Address, Primárna e‑mailová adresa, \
        Primäre E-Mail-Adresse, Primær e-post, Primær mail, Primêre e-posadres, Primārais epasts, První e-mail, \
        Prìomh-phost-dealain, Príomhsheoladh Ríomhphoist, Ruka'n Taqoya'l, Secondary Email, \
        Secundair e-mailadres, Sekondêre e-posadres, Sekundarna e-mailka, Sekundarna e-mejlowa adresa, \
        Sekundäre E-Mail-Adresse, Sekundær e-post, Sekundær mail, Sekundêr e-mailadres, Spoštni naslov, Surel, \
        Sähköposti, Sähköpostiosoite, Thư điện tử, Toissijainen sähköposti, Tölvupóstur, Work Email, \
        Ytterligare e-post, Ďalšia e‑mailová adresa, Địa chỉ email, Địa chỉ thư điện tử, Δευτερεύον email, \
        Διεύθυνση ηλεκτρονικού ταχυδρομείου, Ηλεκτρονικό ταχυδρομείο, Ηλ. ταχυδρομείο, Κύριο email, \
        Адреса електронної пошти, Адрес электронной почты, Адрес эл. почты, \
        Альтернативна адреса електронної пошти, Альтернативный адрес электронной почты, Асноўная э-пошта, \
        Дадатковая э-пошта, Допълнителна е-поща, Електронна пошта, Ел. пошта, Е-пошта, Имейл, Имейл адрес, \
        Негiзгi E-mail, Основна е-поща, Почта, Пошта, Примарна адреса за е-пошта, Примарни мејл, \
        Секундарна адреса, Секундарни мејл, Электронная почта, Эл. почта, Қосымша E-mail, \
        Առաջնային եղեկտրոնային հասցէ, Առաջնային փոստ, Երկրորդական եղ․ փոստ, Երկրորդական փոստ, էլ. փոստ, אימייל, \
        דוא״ל, דוא״ל משני, דוא״ל ראשי, כתובת דוא״ל, כתובת דואר אלקטרוני, מייל, البريد الإلكتروني, \
        البريد الثانوي, البريد الرئيسي, ایمیل, بريد إلكتروني, ईमेल, ईमेल पता, ইমেইল, ที่อยู่อีเมล, อีเมล, \
        อีเมลสำรอง, อีเมลหลัก, ელფოსტა, მეორადი ელფოსტა, მთავარი ელფოსტა, メール, メールアドレス, 主要 Email, 主要电子邮件, \
        別のメールアドレス, 备用电子邮件, 次要 Email, 电子邮件, 电子邮件地址, 电子邮箱, 邮件, 邮件地址, 邮箱, 邮箱地址, 電子メール, 電子メール アドレス, 電子信箱, 電子郵件, \
        電子郵件地址, 電郵, 電郵地址, 기본 메일, 메일, 메일 주소, 이메일, 이메일 주소, 전자 메일 주소, 전자우편, 추가 메일
        """

    /// Display names.
    private static let fullNames = """
        Ad Soyad, Ainm-taisbeanaidh, Ainm Taispeána, Amosar nome, Anv da skrammañ, Anzeigename, Asmenvardis, \
        Birtingarnafn, Bistaratzeko izena, Celé jméno, Celé meno, Contact, Contact Name, Display Name, \
        Emër i Shfaqur, Enw Dangos, Fulde navn, Full Name, Fullständigt namn, Fullt namn, Fullt navn, \
        Görüntülenecek ad, Họ tên, Họ và tên, Ime i prezime, Ime za prikaz, Imię i nazwisko, Isem ad ittuseknen, \
        Koko nimi, Ko‘rinadigan nom, Kuvatav nimi, Megjelenő név, Mostrar nombre, Nama lengkap, Nama Paparan, \
        Nama Tampilan, Nom a mostrar, Nombre completo, Nombre mostrado, Nom complet, Nome amosáu, Nome completo, \
        Nome de exibição, Nome exibido, Nome visualizzato, Nomine monstrate, Nom à afficher, Nume complet, \
        Nume de afișat, Num mussà, Näyttönimi, Person, Pełna nazwa, Prikazano ime, Rādāmais vārds, Tam ad, \
        Teljes név, Tik'ut B'i'aj, Tên hiển thị, Vertoonnaam, Vis navn, Volledige naam, Vollständiger Name, \
        Weergavenaam, Werjeftenamme, Wužiwarske mjeno, Wyświetlana nazwa, Zobrazované jméno, Zobrazované meno, \
        Zwobraznjone mě, Εμφανιζόμενο όνομα, Ονοματεπώνυμο, Адлюстроўнае імя, Атын көрсету, Име за приказ, \
        Отображаемое имя, Повне ім’я, Показвано име, Полное имя, ФИО, Ім'я для показу, Ցուցադրուող անուն, \
        Ցուցադրվող անուն, Ցուցադրվող անունը, שם מלא, שם תצוגה, اسم العرض, الاسم الكامل, पूरा नाम, ชื่อที่แสดงผล, \
        ชื่อเต็ม, ეკრანული სახელი, お名前, 姓名, 显示名称, 氏名, 表示名, 顯示名稱, 성명, 표시명
        """

    /// First names.
    private static let givenNames = """
        Eesnimi, Emër, Enw Cyntaf, Etunimi, First, First Name, Foarnamme, Forename, Fornavn, Förnamn, Førenamn, \
        Given, Given Name, Imię, Isem n twacult, Ismi, Kentañv, Krstné meno, Křestní jméno, Nab'ey B'i'aj, \
        Nama Depan, Nama Pertama, Nome próprio, Prenom, Prenomine, Prenum, Prenume, Primeiro nome, \
        Primer nombre, Prénom, Předmjeno, Pśedmě, Rufname, Skírnarnafn, Utónév, Vardas, Voornaam, Voornamen, \
        Vorname, Vārds, Аты, שם פרטי, الاسم الأول, ชื่อจริง, სახელი, 名, 名字
        """

    /// Middle names.
    private static let additionalNames = """
        Additional Name, Al doilea prenume, Deuxième prénom, Drugie imię, Drugo ime, Druhé jméno, İkinci Ad, \
        Mellannamn, Mellemnavn, Mellomnavn, Middelste naam, Middle, Middle Name, Második név, Nome do meio, \
        Patronymic, Second Name, Secondo nome, Segundo nombre, Segundo nome, Srednje ime, Toinen nimi, \
        Tussenvoegsel, Tweede naam, Weitere Vornamen, Ďalšie meno, Μεσαίο όνομα, Отчество, По батькові, \
        שם אמצעי, ミドル ネーム, 中間名, 中间名, 중간 이름
        """

    /// Last names.
    private static let familyNames = """
        Abizena, Achternaam, Anv familh, Apelido, Apelidos, Apellido, Apellidos, Apellíos, Cognome, Cognoms, \
        Efternamme, Efternamn, Efternavn, Eftirnafn, Enw Olaf, Etternamn, Etternavn, Familienaam, Familienname, \
        Familijowe mě, Familiyasi, Family, Family Name, Họ, Last, Last Name, Mbiemër, Nachname, Nama Belakang, \
        Nama Keluarga, Nazwisko, Nom de famille, Nomine de familia, Num da famiglia, Nume de familie, Pavardė, \
        Perekonnanimi, Prezime, Priezvisko, Priimek, Primer apellido, Příjmení, Ruka'n B'i'aj, Sloinne, \
        Sloinneadh, Sobrenome, Soyadı, Sukunimi, Surname, Swójbne mjeno, Uzvārds, Van, Vezetéknév, Zuname, \
        Último nome, Επώνυμο, Презиме, Прозвішча, Прізвище, Тегi, Фамилия, Ազգանուն, שם משפחה, الاسم الأخير, \
        นามสกุล, გვარი, 姓, 姓氏, 성
        """

    /// Just “name”: the first or last name if the other one has a column of its own, otherwise the whole name.
    private static let plainNames = """
        Ad, Adı, Ainm, Emri, Ime, Isem, Isim, İsim, Izena, Jméno, Meno, Naam, Nafn, Nama, Name, Namn, Navn, \
        Nimi, Nom, Nombre, Nome, Nume, Név, Tên, Όνομα, Име, Имя, Імя, Ім'я, Անուն, שם, الاسم, نام, नाम, ชื่อ, \
        名前, 이름
        """

    /// Used as the name of a person who has none.
    private static let substitutes = """
        Alcume, Alias, Aozadur, Apodo, Azienda, Becenév, Bedrijf, Bijnaam, Buidheann, Bynaam, Bynamme, Company, \
        Company Name, Compañía, Corff, Cég, Eagras, Empresa, Ent, Entreprise, Erakundea, Far-ainm, File As, \
        Firma, Firma/Organizacja, Firmă, Fyrirtæki/Stofnun, Företag, Goitizena, Gælunafn, Gódło, Hüüdnimi, \
        Järjestö, Kallenamn, Kallenavn, Kurum, Leasainm, Lempinimi, Llysenw, Meffer isem, Moloj, Moranv, \
        Nadimak, Nama Alias, Nama gelaran, Nick, Nickname, Nofkë, Nomatu, Nombre de usuario, Organisaasje, \
        Organisasi, Organisasie, Organisasjon, Organisatie, Organisation, Organisatsioon, Organisaziun, \
        Organització, Organizacija, Organización, Organization, Organization Name, Organização, Organizație, \
        Organizzazione, Organizácia, Organizācija, Podjetje, Prezývka, Pseudonim, Pseudonymo, Přezdívka, \
        Přimjeno, Segvārds, Slapyvardis, Smeknamn, Sobrenom, Società, Société, Soprannome, Spitzname, \
        Společnost, Spoločnosť, Surnom, Surnum, Szervezet, Takebbanit, Takma adı, Tashkilot, Taxallus, Tvrtka, \
        Tz'ukun b'i'aj, Tên hiệu, Tổ chức, Vzdevek, Yritys, Įstaiga, Şirket, Εταιρεία, Ψευδώνυμο, Бүркеншік аты, \
        Надимак, Организация, Организација, Організація, Прекар, Псевдоним, Псевдонім, Псеўданім, Установа, \
        Ұйымы, Կազմակերպութիւն․, Կազմակերպություն, Կազմակերպությունը, Կեղծանուն, Մականուն, ארגון, חברה, כינוי, \
        الكنية, المنظّمة, ชื่อเล่น, องค์กร, დაწესებულება, მეტსახელი, ឈ្មោះហៅក្រៅ, ニックネーム, 会社名, 公司, 单位, 昵称, 暱稱, \
        組織, 애칭, 회사, 회사명
        """
}
