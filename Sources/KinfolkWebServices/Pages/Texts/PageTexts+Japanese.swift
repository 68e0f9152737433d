extension PageTexts {
    static let japanese = PageTexts(
        common: Common(
            languages: "言語",
            errorTitle: "問題があります",
            error: "エラー：",
            minutes: CountedText(one: "1分", other: "{count}分"),
            hours: CountedText(one: "1時間", other: "{count}時間"),
            months: ["1月", "2月", "3月", "4月", "5月", "6月", "7月", "8月", "9月", "10月", "11月", "12月"],
            firstDay: "1",
            date: "{year}年{month}{day}日",
            dateAndTime: "{date} {time}（UTC）",
            back: "戻る",
            tooManyCodes: "コードの請求回数が上限に達しました。{duration}待ってから、もう一度お試しください。",
            emailLabel: "メールアドレス",
            emailMissing: "メールアドレスを入力してください。",
            emailInvalid: "メールアドレスの形式が正しくありません。name@example.com のように入力してください。",
            signInAgain: Message(
                title: "もう一度サインインしてください",
                text: "アカウントを保護するため、この操作には10分以内のサインインが必要です。"
            ),
            signInAgainButton: "もう一度サインインする"
        ),
        email: Email(
            title: "{application}にサインイン",
            titleOfAccount: "アカウントにサインイン",
            intro: "メールアドレスを入力してください。サインイン用のコードをお送りします。",
            privacy: "{application}にメールアドレスが知られることはありません。",
            keep: "この端末でサインインしたままにする",
            keepHint: "ほかの人も使う端末では、選択しないでください。",
            submit: "コードを送信",
            providersTitle: "ほかの方法でサインイン",
            provider: "{provider}で続ける",
            person: "{provider} として続ける",
            notSent: "メールを送信できませんでした。しばらくしてから、もう一度お試しください。"
        ),
        code: Code(
            title: "コードの入力",
            titleOfAddition: "メールアドレスの確認",
            titleOfRefusal: "ご本人のアドレスであることの確認",
            signingIn: "{application}にサインインしようとしています。",
            sent: "{address}にコードを送信しました。有効期間は10分です。",
            sentAgain: "新しいコードを送信しました。最新のコードだけが有効です。",
            label: "コード",
            hint: "ABCD-\u{2060}EFGHのような8文字です。小文字で入力しても、ハイフンを省いてもかまいません。",
            submit: "続ける",
            noCodeTitle: "コードが届かない場合",
            noCode: "届くまでに1分ほどかかることがあります。迷惑メールフォルダーもご確認ください。",
            another: "コードを再送信",
            passTitle: "以前のメールのパスを使う",
            passLabel: "パス",
            passHint: """
                お送りするメールには、パスが記載されています。コードの請求回数が上限に達しているときは、24時間以内のメールの\
                パスを入力すると、コードを受け取れます。
                """,
            otherAddress: "別のアドレスを使う",
            missing: "メールに記載されたコードを入力してください。",
            wrong: "コードが違うか、入力できる回数を超えました。コードを確かめるか、新しいコードを請求してください。",
            expired: "コードの有効期間が過ぎました。新しいコードを請求してください。"
        ),
        consent: Consent(
            title: "{application}で、ほかの人があなたを見つけることを許可しますか？",
            meaning: """
                「はい」を選ぶと、あなたのメールアドレスをすでに知っている人が、{application}であなたを見つけられるように\
                なります。その人には、あなたの名前が表示されます。
                """,
            wording: "{application}からの説明：",
            yes: "はい、許可します",
            no: "いいえ、許可しません",
            later: "この設定は、アカウントのページでいつでも変更できます。"
        ),
        linkIdentity: LinkIdentity(
            title: "{provider}をアカウントに連携しますか",
            proved: "このブラウザーで、{person}として{provider}へのサインインが行われました。",
            meaning: "連携すると、その人はいつでも{provider}であなたのアカウントにサインインできます。共用のパソコンなどで、ご本人の操作でない場合は、連携しないでください。",
            yes: "本人なので連携する",
            no: "連携しない"
        ),
        newAccount: NewAccount(
            title: "お名前を教えてください",
            intro: "あなたを見つけることができる人に、この名前が表示されます。どちらも空欄のままでかまいません。",
            givenName: "名（任意）",
            familyName: "姓（任意）",
            submit: "続ける",
            tooLong: "名前が長すぎます。短くしてください。"
        ),
        done: Done(
            title: "サインインしました",
            redirect: "{application}に戻ります。",
            link: "{application}に進む",
            window: """
                このウィンドウは自動的に閉じます。閉じない場合は、手動で閉じて{application}に戻ってください。
                """,
            lost: """
                {application}との接続が失われました。このウィンドウを閉じ、{application}に戻って、もう一度サインイン\
                してください。
                """,
            withoutScript: """
                JavaScriptが無効なため、サインインしたことを{application}に伝えられません。JavaScriptを有効にして、もう一度\
                サインインしてください。
                """,
            signedOut: Message(title: "サインアウトしました", text: "このウィンドウを閉じてもかまいません。"),
            erased: Message(
                title: "アカウントを消去しました",
                text: "あなたのデータには、もう誰もアクセスできません。時間のかかるデータは、現在削除しています。"
            )
        ),
        errors: Errors(
            linkExpired: Message(
                title: "このリンクは期限切れです",
                text: "アプリケーションに戻り、そこからもう一度サインインしてください。"
            ),
            formRejected: Message(
                title: "このフォームは無効になりました",
                text: "もう一度、最初からやり直してください。ブラウザーで、このサイトのCookieを許可する必要があります。"
            ),
            applicationUnknown: Message(
                title: "不明なアプリケーションです",
                text: "呼び出し元のアプリケーションは、このサービスに登録されていません。開発者にお知らせください。"
            ),
            returnURLNotRegistered: Message(
                title: "アプリケーションに戻れません",
                text: """
                    {application}が指定した戻り先のURLは登録されていません。安全のため、サインインを中止しました。\
                    アプリケーションの開発者にお知らせください。
                    """
            ),
            originNotRegistered: Message(
                title: "このウェブサイトではサインインを利用できません",
                text: """
                    このウィンドウを開いたウェブサイトは、{application}用に登録されていません。安全のため、サインインを中止\
                    しました。アプリケーションの開発者にお知らせください。
                    """
            ),
            accountSuspended: Message(
                title: "アカウントは停止されています",
                text: "現在、サインインできません。このサービスの運営者にお問い合わせください。"
            ),
            providerFailed: Message(
                title: "{provider}でサインインできませんでした",
                text: "{provider}で本人確認ができませんでした。もう一度試すか、ほかの方法でサインインしてください。"
            ),
            tooManyRequests: Message(
                title: "リクエストが多すぎます",
                text: "{duration}待ってから、もう一度お試しください。"
            ),
            serviceUnavailable: Message(
                title: "サービスを利用できません",
                text: "数分後に、もう一度お試しください。"
            ),
            pageNotFound: Message(
                title: "ページが見つかりません",
                text: "このアドレスにページはありません。入力に誤りがないかご確認ください。"
            ),
            detail: "技術的な情報：{detail}",
            startAgain: "最初からやり直す"
        ),
        account: Account(
            title: "アカウント",
            signOut: "サインアウト",
            changed: Changed(
                addressAdded: "アドレスを確認しました。",
                addressClaimed: """
                    このアドレスは別のアカウントのものです。持ち主にメールが届き、一定の期間内は拒否できます。その後、もう一度「確認する」を選んでください。
                    """,
                addressRemoved: "アドレスを削除しました。",
                claimRefused: "申し立てを拒否しました。アドレスは、引き続きあなたのアカウントのものです。",
                identityRemoved: "このサインイン方法を削除しました。",
                discoverability: "設定を保存しました。",
                signedOut: "端末をサインアウトしました。"
            ),
            addressesTitle: "メールアドレス一覧",
            verified: "確認済み",
            notVerified: "未確認",
            verify: "確認する",
            remove: "削除",
            addLabel: "追加するメールアドレス",
            add: "追加",
            claimsTitle: "アドレスに対する申し立て",
            claim: """
                {address}宛てのメールを読めることを、ほかの人が証明しました。その人は、このアドレスを自分のアカウントに移そうと\
                しています。
                """,
            claimUntil: "拒否しない場合、{date}以降、その人がアドレスを自分のものにできます。",
            claimRefused: "拒否しました。アドレスは、引き続きあなたのアカウントのものです。",
            claimDisputed: """
                あなたが拒否した後、相手がもう一度アドレスを証明しました。このサービスの運営者が判断します。
                """,
            refuse: "拒否する",
            applicationsTitle: "アプリケーション",
            noApplications: "まだ、どのアプリケーションも利用していません。",
            granted: "ほかの人はあなたを見つけられます。",
            denied: "ほかの人はあなたを見つけられません。",
            undetermined: "まだ設定していません。設定するまで、ほかの人はあなたを見つけられません。",
            hide: "見つけられないようにする",
            allow: "見つけられるようにする",
            devicesTitle: "サインイン中の端末",
            noDevices: "サインイン中の端末はありません。",
            thisDevice: "この端末",
            signedInOn: "サインイン：{date}",
            lastUsedOn: "最後の使用：{date}",
            signOutDevice: "サインアウト",
            signOutEverywhere: "すべての端末でサインアウト",
            dataTitle: "あなたのデータ",
            export: "データをダウンロード",
            erase: "アカウントを消去"
        ),
        confirm: Confirm(
            erase: Message(
                title: "アカウントを消去しますか？",
                text: "すべてのアプリケーションで、保存した内容とともにアカウントが消去されます。"
            ),
            eraseUndo: "この操作は取り消せません。",
            eraseExport: "先にデータをダウンロードする",
            word: "消去",
            wordLabel: "確認のため、「{word}」と入力してください",
            wordWrong: "入力された言葉が違います。「{word}」と入力してください。",
            eraseButton: "アカウントを消去する",
            signOutEverywhere: Message(
                title: "すべての端末でサインアウトしますか？",
                text: "この端末を含むすべての端末で、すべてのアプリケーションからサインアウトします。"
            ),
            signOutEverywhereButton: "すべての端末でサインアウトする",
            refuse: Message(
                title: "{address}に対する申し立てを拒否しますか？",
                text: """
                    拒否すると、アドレスは引き続きあなたのアカウントのものです。ご本人のアドレスであることを確かめるため、先に\
                    {address}にコードを送信します。
                    """
            ),
            refuseButton: "コードを送信して拒否する",
            removeAddress: Message(
                title: "{address}を削除しますか？",
                text: """
                    削除すると、このアドレスではサインインできなくなり、ほかの人がこのアドレスであなたを見つけることもできなく\
                    なります。
                    """
            ),
            removeAddressButton: "アドレスを削除する",
            cancel: "キャンセル"
        ),
        export: Export(
            title: "データのダウンロード",
            content: """
                このファイルには、すべてのアプリケーションについて、このサービスが保存しているあなたの情報がすべて含まれます\
                （形式：JSON）。
                """,
            care: "ファイルは暗号化されていません。安全な場所に保管してください。",
            submit: "ファイルをダウンロード"
        ),
        mail: Mail(
            codeSubject: "{application}のコード",
            codeSignIn: "{application}にサインインするためのコードです。",
            codeAddition: "このメールアドレスをアカウントに追加するためのコードです（{application}）。",
            codeRefusal: "このメールアドレスに対する申し立てを拒否するためのコードです（{application}）。",
            validity: "コードの有効期間は10分です。コードは誰にも教えないでください。",
            pass: """
                コードの請求回数が上限に達してコードが届かないときは、24時間以内に、同じページで次のパスを入力してください。
                """,
            notYou: """
                このコードを請求した覚えがない場合は、誰かがあなたのアドレスを誤って入力した可能性があります。このメールは\
                無視してかまいません。コードがなければ、何も起こりません。
                """,
            claimSubject: "{application}：あなたのメールアドレスに対する申し立てがありました",
            claim: """
                {address}宛てのメールを読めることを、誰かが証明しました。その人は、このアドレスをあなたのアカウントから自分の\
                アカウントに移そうとしています。このアドレスが{application}のあなたのアカウントに登録されているため、お知らせ\
                しています。
                """,
            claimWait: "何もしない場合、{duration}後から、その人がアドレスを自分のものにできます。",
            claimRefuse: "心当たりがない場合は、次のページでサインインし、「拒否する」を選んでください。",
            claimMailbox: "ほかの人があなたのメールを読める状態です。メールのパスワードも変更してください。",
            claimYours: """
                別のアカウントでこのアドレスを使うために、ご自身で操作した場合は、何もする必要はありません。
                """,
            identitySubject: "{application}：アカウントにサインインする方法が追加されました",
            identity: "今後、{person}は{provider}を使って、{application}のあなたのアカウントにサインインできます。",
            identityRemove: "心当たりがない場合は、次のページでサインインし、この方法を削除して、すべての端末からサインアウトしてください。"
        )
    )
}
