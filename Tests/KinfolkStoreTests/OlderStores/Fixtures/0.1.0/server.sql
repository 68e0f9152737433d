CREATE SCHEMA kinfolk_older;
CREATE TABLE kinfolk_older.accounts (
    account_id bytea NOT NULL,
    sealed_name bytea NOT NULL,
    is_suspended bigint DEFAULT 0 NOT NULL,
    revision bigint NOT NULL,
    digest bytea NOT NULL,
    mac bytea NOT NULL,
    changes bigint DEFAULT 0 NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE kinfolk_older.activity (
    container_id bigint NOT NULL,
    day bigint NOT NULL,
    lane bigint NOT NULL,
    discoveries bigint NOT NULL,
    refusals bigint NOT NULL
);
CREATE TABLE kinfolk_older.address_history (
    tag bytea NOT NULL,
    day bigint NOT NULL,
    expires bigint NOT NULL,
    sealed_value bytea NOT NULL
);
CREATE TABLE kinfolk_older.address_history_keys (
    day bigint NOT NULL,
    sealed_key bytea NOT NULL
);
CREATE TABLE kinfolk_older.audit (
    number bigint NOT NULL,
    container_id bigint NOT NULL,
    record_id bytea,
    sealed_reason bytea,
    noted_at bigint NOT NULL
);
CREATE TABLE kinfolk_older.blocks (
    container_id bigint NOT NULL,
    record_id bytea NOT NULL,
    blocked_id bytea NOT NULL,
    is_operators bigint NOT NULL
);
CREATE TABLE kinfolk_older.consents (
    account_id bytea NOT NULL,
    container_id bigint NOT NULL,
    number bigint NOT NULL,
    decision bigint NOT NULL,
    wording_id bytea NOT NULL,
    decided_at bigint NOT NULL,
    chain bytea NOT NULL
);
CREATE TABLE kinfolk_older.container_keys (
    container_id bigint NOT NULL,
    epoch bigint NOT NULL,
    sealed_key bytea NOT NULL
);
CREATE TABLE kinfolk_older.container_limits (
    container_id bigint NOT NULL,
    permit_capacity bigint NOT NULL,
    permit_millionths_per_hour bigint NOT NULL,
    unverified_capacity bigint NOT NULL,
    multiplications_per_day bigint,
    rows_per_day bigint,
    fields_per_person bigint NOT NULL,
    code bytea NOT NULL
);
CREATE TABLE kinfolk_older.containers (
    container_id bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    state bigint DEFAULT 0 NOT NULL,
    mac bytea NOT NULL,
    private_epoch bigint DEFAULT 0 NOT NULL,
    prefix_bits bigint,
    cover_due bigint,
    created_at bigint NOT NULL
);
CREATE TABLE kinfolk_older.directories (
    container_id bigint NOT NULL,
    epoch bigint NOT NULL,
    state bigint NOT NULL,
    "position" bytea,
    sealed_seed bytea,
    public_key bytea,
    prefix_bits bigint DEFAULT 0 NOT NULL,
    key_epoch bigint DEFAULT 0 NOT NULL
);
CREATE TABLE kinfolk_older.directory (
    container_id bigint NOT NULL,
    tag bytea NOT NULL,
    record_id bytea NOT NULL,
    sequence bigint NOT NULL
);
CREATE TABLE kinfolk_older.directory_counts (
    container_id bigint NOT NULL,
    epoch bigint NOT NULL,
    lane bigint NOT NULL,
    row_count bigint NOT NULL
);
CREATE TABLE kinfolk_older.directory_lanes (
    container_id bigint NOT NULL,
    lane bigint NOT NULL,
    row_count bigint NOT NULL
);
CREATE TABLE kinfolk_older.email_claims (
    tag bytea NOT NULL,
    claimant_id bytea NOT NULL,
    claim_id bytea NOT NULL,
    owner_id bytea NOT NULL,
    decision bigint NOT NULL,
    opened_at bigint NOT NULL,
    noticed_at bigint,
    completable_at bigint,
    decided_at bigint,
    sealed_address bytea NOT NULL,
    code bytea NOT NULL
);
CREATE TABLE kinfolk_older.emails (
    account_id bytea NOT NULL,
    tag bytea NOT NULL,
    number bigint NOT NULL,
    sealed_address bytea NOT NULL,
    is_discoverable bigint DEFAULT 1 NOT NULL,
    verified_at bigint,
    added_at bigint NOT NULL
);
CREATE TABLE kinfolk_older.fields (
    container_id bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    type bigint NOT NULL
);
CREATE TABLE kinfolk_older.identities (
    container_id bigint NOT NULL,
    record_id bytea NOT NULL,
    sealed_identity bytea NOT NULL
);
CREATE TABLE kinfolk_older.lasting_keys (
    epoch bigint NOT NULL,
    sealed_keys bytea NOT NULL
);
CREATE TABLE kinfolk_older.limits (
    account_id bytea NOT NULL,
    container_id bigint NOT NULL,
    kind bigint NOT NULL,
    spent bigint NOT NULL,
    counted_at bigint NOT NULL,
    lease_window bigint NOT NULL,
    leased bigint NOT NULL,
    leased_before bigint NOT NULL,
    lapsed bigint NOT NULL,
    code bytea NOT NULL
);
CREATE TABLE kinfolk_older.private_directory (
    container_id bigint NOT NULL,
    epoch bigint NOT NULL,
    bucket bytea NOT NULL,
    tag bytea NOT NULL,
    record_id bytea NOT NULL,
    sealed_record bytea NOT NULL,
    code bytea NOT NULL
);
CREATE TABLE kinfolk_older.records (
    container_id bigint NOT NULL,
    record_id bytea NOT NULL,
    is_private bigint NOT NULL,
    change_tag bytea NOT NULL,
    sealed_fields bytea NOT NULL,
    modified_at bigint NOT NULL
);
CREATE TABLE kinfolk_older.root_keys (
    epoch bigint NOT NULL,
    sealed_under bytea NOT NULL,
    sealed_key bytea NOT NULL
);
CREATE TABLE kinfolk_older.service (
    name text NOT NULL COLLATE pg_catalog."C",
    value bytea NOT NULL
);
CREATE TABLE kinfolk_older.store_schema (
    application bigint NOT NULL,
    version bigint NOT NULL
);
CREATE TABLE kinfolk_older.users (
    account_id bytea NOT NULL,
    container_id bigint NOT NULL,
    record_id bytea NOT NULL,
    mac bytea NOT NULL,
    revision bigint DEFAULT 0 NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE kinfolk_older.verification_codes (
    account_id bytea NOT NULL,
    number bigint NOT NULL,
    tag bytea NOT NULL,
    purpose bigint NOT NULL,
    code_tag bytea NOT NULL,
    tries bigint DEFAULT 0 NOT NULL,
    issued_at bigint NOT NULL
);
CREATE TABLE kinfolk_older.verified_emails (
    tag bytea NOT NULL,
    account_id bytea NOT NULL
);
CREATE TABLE kinfolk_older.wordings (
    container_id bigint NOT NULL,
    wording_id bytea NOT NULL,
    sealed_wording bytea NOT NULL
);
INSERT INTO kinfolk_older.accounts VALUES ('\x21f06b1acd5ff2cc3f14d02d0d030884', '\x74b4656de3b381b7f6a4043d8edeca200aae794f8e2ff0e8b70aa522932f3d3e38b2a4be35f5e2f120095d13fee519ba7dec8b22abfcd74d5589eb759537b564e252558fae9513394991415c', 0, 6, '\xe03cc90182b766260b6a46720dcd8052', '\xb42604b5b6b58b35c5c05b784ef038a6', 1, 1767225600000000);
INSERT INTO kinfolk_older.accounts VALUES ('\x8488ab5696e2a17633db6f2f39165cdc', '\x74b4656df677fb71f9de1c8f1202b500b20c5c13b081ba460e97457393c5bc59174b4b59cff0c1d6a63ddcc1c06b76486056e9ab38f21dbdc05f6d518fa1d2c128c016f6baf07482e34bd3f1', 1, 5, '\xceb576ae3af03b4380a66683a60a47bb', '\x01d22d641a9af083c9b6590058fe50ab', 2, 1767225600000000);
INSERT INTO kinfolk_older.accounts VALUES ('\xe02cb0de3aa2cfe8fc5fc4d8bcfc8296', '\x74b4656da37f20122214cf6bfab1bd7c1737cde7ab9de5d58f2b450f7eae8e5bec0661980c853ef2c8f789bf085ec5db204633c1475b88781b434f4226de58a0b0423f62aede40c61b2e86dc', 0, 4, '\xc44d38626879cdcf0b42b434fc28d33d', '\xf151e417e74a582e23679d0f6f1ad2b1', 1, 1767225600000000);
INSERT INTO kinfolk_older.accounts VALUES ('\x17708820eccb7c2eb2e565d8449114bf', '\x74b4656df3a195b4b01b91ff391b36aba9756a23d3753084276988506b2eb84e4329d021a289bc6b63fd4b44baa1521ef189afd730d82472467faf90b68aab50c45de2c2be8f78d260a497c7', 0, 6, '\x3831d9414c22dc0c0bc7f11496054fe2', '\xb434639342bc32e7ed46824c0eead35f', 2, 1767225600000000);
INSERT INTO kinfolk_older.accounts VALUES ('\x83b1aaf78da1d61378423be92d9b300e', '\x74b4656dc27e591088505ff75c399c65d07925999e2639e30b93690075753c63eb1a687c4fce0f77abbc2a2544eb432fc96e317b1ad7363f4353d2a09cbb3bcc9e39e5a995239de0bf2a2112', 0, 7, '\x9dcbe8513cb5629fd185e3b5165a0db3', '\xea8810b7660ed606efeb6c925faf3f80', 4, 1767225600000000);
INSERT INTO kinfolk_older.accounts VALUES ('\x50929af3ac02eae33048570e553fe94a', '\xf7440c00673f658128eb9c179af68d66f1ecccfb41cb141d7c9bf14ec65e51b1dda677ba937a7b5982cd7f6f2c6a0ea9792946819e7cff3d59b5496a5cf3d6254b4fc7a347a3342819188b71', 0, 6, '\x4846e8343b840fc22e85519163c2ce3f', '\xfe33b3893f10371d39872e7a4ffb1506', 2, 1767225600000000);
INSERT INTO kinfolk_older.activity VALUES (1, 1767225600000000, 15, 1, 0);
INSERT INTO kinfolk_older.activity VALUES (1, 1767225600000000, 6, 2, 0);
INSERT INTO kinfolk_older.address_history VALUES ('\xe19bcf5237949b4b7eab6da84172cfdc', 20454, 20484, '\x74b4656dd999e82c502d10b0273e4b456b0ba51ba20870ce0a478ea1d56c05f7e2db82346647c43e28cc68a0e7e91aaf63ecbb3fc9817cf9949f59ed8f3d6eba64e7788e642a00634694a834');
INSERT INTO kinfolk_older.address_history VALUES ('\xdad50791fa114257d5c0c4dd6ca4f24e', 20454, 20456, '\x74b4656d8a72bcc1ef6afe71df17657f2ff0f817bcc9e0f4206d9e9e9ac28eb8c7e1716c256e576847d90654c0d2bca9ee3f8e75d18af6e8b2d1a80452572c483aed6ae00b3b8ea1427852f8627de85c492611710bf49238e5ea255b7975dc9b8e152829053d0383b5af6fb6');
INSERT INTO kinfolk_older.address_history_keys VALUES (20454, '\x74b4656d0f75442f2d4e387fefb37ab8a15f202a4f519b5d0f59512429dd3ce5567c503018dad55e992d2c89e4b8cc91e728c7f6c2fb412a87c9ab2b33fd3dd2e27e6e96858dc7f77ebf5948ffcca674653f9e7fe7229f40d94bb78f549e21f6f83cd26c784fcba2adf8d7a6');
INSERT INTO kinfolk_older.audit VALUES (2, 1, NULL, NULL, 1767229200000000);
INSERT INTO kinfolk_older.audit VALUES (1, 1, '\xd128f642a4b84dc46f9f674022cddcb0', '\x74b4656d2bd39c3212ea336641412809116548853934aae91ff0fade821139e45deabe415e00039d41a3bcdf62d1a4ef8827af2cabce728d6015aded8caa205860b0d2434f7236609f0168b1', 1767229200000000);
INSERT INTO kinfolk_older.blocks VALUES (1, '\xd128f642a4b84dc46f9f674022cddcb0', '\xc93b9c238074a1bf916a5fa9bc026d15', 0);
INSERT INTO kinfolk_older.blocks VALUES (1, '\x0b11c62c349007589925e9fe1fab19d8', '\xc93b9c238074a1bf916a5fa9bc026d15', 1);
INSERT INTO kinfolk_older.consents VALUES ('\x17708820eccb7c2eb2e565d8449114bf', 1, 1, 1, '\xd428ae3ba41fdd8e03c1eeea59f653a0', 1767225600000000, '\x0d4733e1296d1d68d170b7d8d430c2b2');
INSERT INTO kinfolk_older.consents VALUES ('\x21f06b1acd5ff2cc3f14d02d0d030884', 1, 1, 1, '\xd428ae3ba41fdd8e03c1eeea59f653a0', 1767225600000000, '\x0d4733e1296d1d68d170b7d8d430c2b2');
INSERT INTO kinfolk_older.consents VALUES ('\x21f06b1acd5ff2cc3f14d02d0d030884', 2, 1, 1, '\x5bbb3c651e3b58ed9af36ff624e17fc0', 1767229200000000, '\x0badc1989233fb0fcc83e22314ba9752');
INSERT INTO kinfolk_older.consents VALUES ('\x50929af3ac02eae33048570e553fe94a', 1, 1, 1, '\xd428ae3ba41fdd8e03c1eeea59f653a0', 1767225600000000, '\x0d4733e1296d1d68d170b7d8d430c2b2');
INSERT INTO kinfolk_older.consents VALUES ('\x50929af3ac02eae33048570e553fe94a', 1, 2, 2, '\x8fafaf0a57e976aa4feeb4bafb69d213', 1767229200000000, '\xb174b0001ecf4988929eae5aac72f114');
INSERT INTO kinfolk_older.consents VALUES ('\x83b1aaf78da1d61378423be92d9b300e', 1, 1, 1, '\xd428ae3ba41fdd8e03c1eeea59f653a0', 1767225600000000, '\x0d4733e1296d1d68d170b7d8d430c2b2');
INSERT INTO kinfolk_older.consents VALUES ('\x8488ab5696e2a17633db6f2f39165cdc', 1, 1, 1, '\xd428ae3ba41fdd8e03c1eeea59f653a0', 1767225600000000, '\x0d4733e1296d1d68d170b7d8d430c2b2');
INSERT INTO kinfolk_older.consents VALUES ('\xe02cb0de3aa2cfe8fc5fc4d8bcfc8296', 1, 1, 1, '\xd428ae3ba41fdd8e03c1eeea59f653a0', 1767225600000000, '\x0d4733e1296d1d68d170b7d8d430c2b2');
INSERT INTO kinfolk_older.container_keys VALUES (2, 2, '\x74b4656da15909c333e0ace140213d7f537aeb7f3f4a8176da7d87f9a4076b048ddc5aca0bdb0c91fb256f4f155017a32f56c0a073b1aacefe0e95a7d86a246187ee6a9144469de2c309f9def87247e34a00dda173c14a6cbe3c0540131bb569b33fad9761bf85be71208462');
INSERT INTO kinfolk_older.container_keys VALUES (1, 2, '\x74b4656d7da2f72ec60fc147e3591789e02a4188ca19b5e697f25bf8c394aef799bf9e123176a8a798350db93836fae238a02f6687921c0f98eb7ca9e09c924a571feb7c6796f02b151a93712963bb125f7ee88654479ee18141ed3a7b0f78539a4428fdb201b441fcb35a1a');
INSERT INTO kinfolk_older.container_keys VALUES (2, 3, '\xf7440c00ef1b74083ff53c1e89a73b70ac7143f110fe6e32b1f6267248b64dbb04a26e85f5130aa1d90e651e87047b7c6db9d59ed3dc225e985308edf6dc65a9f4d98e81674ce8bce0a6a47482b8de80ebf21b083c9485e12442652a0210ae5240ad7dc26747785c830656a7');
INSERT INTO kinfolk_older.container_keys VALUES (1, 3, '\xf7440c007b931cfbec5e8fe50801ca582325ce76af8850301ac41aac6cc529b84aaf63a02814b0c26d97199b9746f8c70ddae85c49419b9788618f3f750726e1caf2bbb4aafc8c4a951f8c6a7f6b8bc93fd63a2d5ec975afa20f073d6f632959824f5e288196eb0c45b06238');
INSERT INTO kinfolk_older.container_limits VALUES (2, 20000, 10000000, 100, NULL, NULL, 50, '\x12d0df722166d8cea1b47d482a2487c6');
INSERT INTO kinfolk_older.container_limits VALUES (1, 300, 2500000, 40, 70000, 900000, 60, '\x9c22b85f7979eaa6268f1872679e1519');
INSERT INTO kinfolk_older.containers VALUES (2, 'com.example.chess', 0, '\xd7b3c205f1b68767687bd8280290cc37', 0, NULL, NULL, 1767225600000000);
INSERT INTO kinfolk_older.containers VALUES (3, 'com.example.gone', 2, '\xafa2df5e6c5da70d871bd0410dc1714c', 0, NULL, NULL, 0);
INSERT INTO kinfolk_older.containers VALUES (1, 'com.example.notes', 0, '\x30a1ad7488b760f2cfe05eaffdd7613d', 3, NULL, 1767237421138475, 1767225600000000);
INSERT INTO kinfolk_older.directories VALUES (1, 0, 0, NULL, '\x', '\x', 0, 0);
INSERT INTO kinfolk_older.directories VALUES (2, 0, 0, NULL, '\x', '\x', 0, 0);
INSERT INTO kinfolk_older.directories VALUES (1, 2, 0, '\x', '\x7eb2c1fda4596a2134e9cc04568d0df50a8b16b7422b8a27cd80a2641b069bdd52960b4e5a4f7ff7f48f71abfa1eb05b770812c1ba5def6e819ad8a78d3b01ef584a7c108166cb18cfcb5c741f4cf23f812a8844520e037d52274e860a1171942b94ebd3720eadb5eed7ad50', '\xe2bc37063af9eb31f23e832eeb52bf56372951182f4bdfb4e07b27a76a5b4c14', 0, 2);
INSERT INTO kinfolk_older.directories VALUES (1, 1, 0, '\x', '\x7eb2c1fdfec5146382c678840913896a8564c7662641a2654827db64d182eeeaff1c5c2fae11a9944975d08a0ee01a1aba6eb9784dda3a96e9b4f0623945e26790d008dbbcec457bac4bfc3a99e62f9ab7bf803ab7898488fd5fdba11e37d89e1cc97bf64ae08376a6ede0a6', '\xa8874ca4d2fc03d0973f0625430e11123b697498c0f38fff4bef6ff0ccb3cc09', 0, 1);
INSERT INTO kinfolk_older.directories VALUES (1, 3, 4, NULL, '\x7eb2c1fd620d9c3cb7571277aa6a6094e3ea9bf8156accc96a33886f50bf6d286969516b8effd587cf0a3a3509253ff23b9bef20f7d942cc75ce7920e2d8ef92132632840efe12a3455fc8749b440d93c6a988a0f3c1142637423230d66fa3d52f04192a24b6414319e0c12b', '\xee4ef889a868c05642afaf03df8f5115c7db389d921999b65d46edf54b5ddd60', 0, 2);
INSERT INTO kinfolk_older.directory VALUES (1, '\x583cf3ec11a8c80535a966842fbde035', '\x0b11c62c349007589925e9fe1fab19d8', 1080863910568919054);
INSERT INTO kinfolk_older.directory VALUES (2, '\x9f193f5b66d71067eb6a31ff75af5333', '\x73e605b65060f6a9b21f5d0445b0dfc8', 1080863910568919043);
INSERT INTO kinfolk_older.directory VALUES (1, '\xfadebc4c4b69c107d3929200d620b74a', '\xc93b9c238074a1bf916a5fa9bc026d15', 1080863910568919056);
INSERT INTO kinfolk_older.directory VALUES (1, '\x90bfc888cb0e11e2f55710c92d6ceab5', '\xd128f642a4b84dc46f9f674022cddcb0', 432345564227567617);
INSERT INTO kinfolk_older.directory VALUES (1, '\xeae3771828252cb9c734375446829dd7', '\xebbdddc029f20e8152e29c259f527dfa', 432345564227567618);
INSERT INTO kinfolk_older.directory_counts VALUES (1, 1, 15, 4);
INSERT INTO kinfolk_older.directory_counts VALUES (1, 2, 15, 4);
INSERT INTO kinfolk_older.directory_lanes VALUES (2, 15, 3);
INSERT INTO kinfolk_older.directory_lanes VALUES (1, 15, 16);
INSERT INTO kinfolk_older.directory_lanes VALUES (1, 6, 2);
INSERT INTO kinfolk_older.email_claims VALUES ('\x3e531baeefbab4407acfc89c3f30b41b', '\x17708820eccb7c2eb2e565d8449114bf', '\x0675c39bde45ffba71ccc1b035e97718', '\x83b1aaf78da1d61378423be92d9b300e', 0, 1767232800000000, NULL, NULL, NULL, '\x74b4656de5088be660a0ceaf3d7fad9ab34e90aaa0688b9b9d0f5c7ad6c3d457881e6f898cacbb345a703302a866d3c33a45e83e98708e5486e79ba1b6981596e6b41ff36c534e7c1946d430696e626f7da55832b57d2b81dd1586bd0d929e56f8ea57bf8407ff3b4951aa6e', '\x56f4422081e6785f537f2f33313fb4e7');
INSERT INTO kinfolk_older.emails VALUES ('\x17708820eccb7c2eb2e565d8449114bf', '\xad6204f7aada2ec8592c6b5073292fd1', 1, '\x74b4656d21808a668f09df3754a9b00bff53f6197a4180f122f759640f941497c4bd229ed7de6752bd7896fe171fd2c2b021aa3103c430ffc703072d0948e58bf91fac8d47205ae3e09bf318c7c5aa54043b93a16cff657a818e52ff09edd282137933afba42e800fcd9a9aa', 1, 1767225600000000, 1767225600000000);
INSERT INTO kinfolk_older.emails VALUES ('\x21f06b1acd5ff2cc3f14d02d0d030884', '\x79bafbfcc2ab05fa747fe569fddbee4b', 1, '\x74b4656d30819a2c0a8a752e8250e766a3967927d0da95754fc8f2e4d031859b53ff4b9dce04eef0005ed70b0c7c9f270cb8651ccf22c5316ffa1f28ff91ed8c6a9fe5f5363c4f51f3f365908dd7de9bf432052789f8cbecff5978ad19286152ffd385a2c89c26d244e2435a', 1, 1767225600000000, 1767225600000000);
INSERT INTO kinfolk_older.emails VALUES ('\x50929af3ac02eae33048570e553fe94a', '\x9ab71f2bd31a870462e44eb54c3179ab', 1, '\x74b4656d7a7f7919c5b157d52ce957674e488b0af7b9e5c09ac74d914981cc605692fc3a16f9722b4786b05efd165ac2474b332f80caadba5308d2ce2921d039c7db37c375d46618e4a3e982b1ca920c7b97db42172401ed9a4f2137dfc11bab63fc4676b8916527fcfc0f9d', 1, 1767225600000000, 1767225600000000);
INSERT INTO kinfolk_older.emails VALUES ('\x83b1aaf78da1d61378423be92d9b300e', '\x3e531baeefbab4407acfc89c3f30b41b', 1, '\x74b4656df4258a12ae293e8b5352422b8790b7b1e6e799ce1761821496c99fb7ee83427b4a0e969f7563a466d15986d45ab345c4916da023c76c417e54a9ac65e295ed675b0309ca9148397f43c5aaf4b211c30326bdccdc0165407754778015a9d4e16fa4e68daa9d251e8c', 1, 1767225600000000, 1767225600000000);
INSERT INTO kinfolk_older.emails VALUES ('\x83b1aaf78da1d61378423be92d9b300e', '\xb45a0d09c50ae9d569866874909aa659', 2, '\x74b4656d2dd6a46807848dd770002e81a622d7cb537da83c1c3cf74d533487498102ff4980c9a11f5d97dc6d1383fd800c12e78649978674879726bb33a25582920c59f5be4ba7e8620fb2d79e78384a881e1ecc73a862e8500cdf2677ad1e23c4c968af92b593e6c8bba38c', 0, 1767229200000000, 1767229200000000);
INSERT INTO kinfolk_older.emails VALUES ('\x8488ab5696e2a17633db6f2f39165cdc', '\xac59931b12f376a50ee76badc1ac79c4', 1, '\x74b4656d78a1b9258223d888a17aac80df7600febb2e8e1d8b73a808f45ebb26391e6cbad383032f08258cbaedd2dcdb06676dfb4162d04b0a63ca5a29997122a97f32759c2c44b9d78d9f07ddc03dae6ab7e82a02e51936c0ac2a4e858eb92fbf1f85446cb7edb8f6e7330b', 1, 1767225600000000, 1767225600000000);
INSERT INTO kinfolk_older.emails VALUES ('\xe02cb0de3aa2cfe8fc5fc4d8bcfc8296', '\x28da619c39fd508c08f02ce7c7eaf9dc', 1, '\x74b4656d4bbf8b8b41e55b8a2fa73714fd39ed007baca1453bf5d8ed1be0edf2175f631796ac59d582753e0191fb1029c60c40b57f466828b4387a7491c6d98c6de55112c933806a1e5bf0e6603b60f79e14285fafcedbc068111ec5dda46a9f30d97b58389cf9f61790d8ad', 1, 1767225600000000, 1767225600000000);
INSERT INTO kinfolk_older.emails VALUES ('\x17708820eccb7c2eb2e565d8449114bf', '\x3e531baeefbab4407acfc89c3f30b41b', 2, '\x74b4656db3ee25046accaf11676201f42734018a7f15674582fd18ad5d166da71d47f1f8ceda05122cb7e448c0210608a763ce15643db42f6689e5523186080a562dbcb73ed5f3f0785f826e509b320ebc5879fe2792f2dd13749f91d4bd90043a728b8bf305e65e8cf60e3b', 1, NULL, 1767232800000000);
INSERT INTO kinfolk_older.emails VALUES ('\x83b1aaf78da1d61378423be92d9b300e', '\xd73b9c1df09d9437d431de1e9252891b', 3, '\x74b4656dbd6a2b32cfcb7a0ace099ac34be95cedb000b9e2a305d59154a03cc79cbe1248627cfeb642c93a71b3a2cd9fd31a5ddfa7b0c0c01e47d1a22d1f9aeefe510f36dd7a4d273d941394ad57567b9df69bd75005666b16c932affb3f3a447b25453fd82a1bc6407d8d2a', 1, NULL, 1767232800000000);
INSERT INTO kinfolk_older.fields VALUES (1, 'f_boolean', 4);
INSERT INTO kinfolk_older.fields VALUES (1, 'f_booleanList', 20);
INSERT INTO kinfolk_older.fields VALUES (1, 'f_bytes', 5);
INSERT INTO kinfolk_older.fields VALUES (1, 'f_bytesList', 21);
INSERT INTO kinfolk_older.fields VALUES (1, 'f_date', 6);
INSERT INTO kinfolk_older.fields VALUES (1, 'f_dateList', 22);
INSERT INTO kinfolk_older.fields VALUES (1, 'f_double', 3);
INSERT INTO kinfolk_older.fields VALUES (1, 'f_doubleList', 19);
INSERT INTO kinfolk_older.fields VALUES (1, 'f_int64', 2);
INSERT INTO kinfolk_older.fields VALUES (1, 'f_int64List', 18);
INSERT INTO kinfolk_older.fields VALUES (1, 'f_location', 7);
INSERT INTO kinfolk_older.fields VALUES (1, 'f_locationList', 23);
INSERT INTO kinfolk_older.fields VALUES (1, 'f_reference', 8);
INSERT INTO kinfolk_older.fields VALUES (1, 'f_referenceList', 24);
INSERT INTO kinfolk_older.fields VALUES (1, 'f_string', 1);
INSERT INTO kinfolk_older.fields VALUES (1, 'f_stringList', 17);
INSERT INTO kinfolk_older.fields VALUES (1, 'diary', 1);
INSERT INTO kinfolk_older.fields VALUES (2, 'rating', 2);
INSERT INTO kinfolk_older.identities VALUES (1, '\x0b11c62c349007589925e9fe1fab19d8', '\x7eb2c1fd64b291fdea1c56267d6b9a8d229f7a82f19111f365c0c3d8e0d688736683c0d52be6144a0493cfee4e72ddc8eb35a85fb02e80379a923014210860a82a4760f1ada359526b1e0a3a1fae4873e837bfbf2e060978b698abb62d59ec63e9c9a55da3e1571ecf54c2c33921a3f93458bd3387413be190895c28873823f6d08697980d26831d7308a438');
INSERT INTO kinfolk_older.identities VALUES (2, '\x73e605b65060f6a9b21f5d0445b0dfc8', '\xeeef6350db5fe9589b0c0cae4c7ded59805065005048f51c6a792953e8fe6ad376e11f29233ef96ac2629a8b988dbd6503c422726735c1528abe54a567a2225995d693e8f5c2cc3de8e1b118d888c6cf56efccf9b399dc45edb2e3a9a13649674507b1028a546df487aa8df96759d57ed3322d715074cb556f0a69074920f3712c47ffb94a06c9ba29b6b370');
INSERT INTO kinfolk_older.identities VALUES (1, '\xc93b9c238074a1bf916a5fa9bc026d15', '\x7eb2c1fd1c33dfbd7dcdf6cbf2ab61c11c8c5e33f8a807bc4fd399e134f1435604576715e4895f6e7685807021208286da0345247457c9dfc3c2c367e4be2e5c68b256d7695ecc058d3ccd7cac5513960e9f97e45611089601da35822e721d2e7c20b687604e595b8b1f855a7d6578de14de0a0b55e6f7f1ac85239db4109e8ec0ddfa75babf517fb84a158b');
INSERT INTO kinfolk_older.identities VALUES (1, '\xd128f642a4b84dc46f9f674022cddcb0', '\x7eb2c1fdb91fce0f8c967f0395f5c667c9561573152887518f2b4381621e6f3c5e42558a3f91741a72bbd80009da898cbfa46dbcdfc73751f3c2113839c66a3138293b23fa1373171107039ab3f74ad4c89bb467c69c7da5431b38c582c8fc75d3fee225c61bce060aee83220f56f114129a35ecc270796c887c71b70dd39dbaaed71e76fc4e7bbd6ecdd14c');
INSERT INTO kinfolk_older.identities VALUES (1, '\xebbdddc029f20e8152e29c259f527dfa', '\x7eb2c1fdb49284c5ff0eb62158f999917d7d2db04d593020db4c2e9eb13e1f0a49891a4ef84eb255eb3abae27181e401b2b64b770271b5bc47fd517dd58058e95bdf1130b703066f949150a2695581d02798b3c79ab066eb9cd12c2ec5a53b6395b104eddbc971817c5a61d96aea6f8e0956988f8be1204e865a1c54b78a7525c957b746f97582bb2a30769c');
INSERT INTO kinfolk_older.lasting_keys VALUES (1, '\x765811c538d8e6b8998f8e0c543e026f5fec3193f56f08281a758cc9fdd43362824041df6260d42b283c60400d2abc2d79419e5a76d4004827139a231ffca74b2931fa338e4fa07cabb171bb90f53ec2184aaaf724ee582d3fef03a599ba10657cd28e2ecb8d074da81f6a4ba3c71b1fa336f05b1e1bffdff1f1448551e6e5e0c810ea69d54dc74699e36dd3');
INSERT INTO kinfolk_older.limits VALUES ('\x21f06b1acd5ff2cc3f14d02d0d030884', 2, 4, 1000000, 1767229200000000, 29453820, 0, 0, 0, '\x078cc91e4d295d2adff462c1d6296ddc');
INSERT INTO kinfolk_older.limits VALUES ('\x83b1aaf78da1d61378423be92d9b300e', 1, 4, 17000000, 1767229200000000, 29453820, 0, 0, 0, '\xc6ee22fd71ccab253d0703fca1668553');
INSERT INTO kinfolk_older.limits VALUES ('\x83b1aaf78da1d61378423be92d9b300e', 1, 1, 67000000, 1767232800000000, 29453880, 0, 0, 0, '\x2e9e5f394df5110018cbf768fe47734e');
INSERT INTO kinfolk_older.limits VALUES ('\x83b1aaf78da1d61378423be92d9b300e', 1, 2, 128000000, 1767232800000000, 29453880, 0, 0, 0, '\xd6111d6d457d0a09d956db26c5b9f805');
INSERT INTO kinfolk_older.limits VALUES ('\x83b1aaf78da1d61378423be92d9b300e', 1, 3, 5000000, 1767232800000000, 29453880, 0, 0, 0, '\xc1bff1dc5b58b5b9da5e40f819097ed9');
INSERT INTO kinfolk_older.private_directory VALUES (1, 1, '\x7e45e380', '\xa20c3dea9911fb3d', '\xebbdddc029f20e8152e29c259f527dfa', '\xeb4b9b84cba1cdb9c88e801262419ab2251bf35670a03fc4b1fb86affdf9c1699ec1f8be91d78c3f', '\xc91df2aec241d89c');
INSERT INTO kinfolk_older.private_directory VALUES (1, 1, '\x9743f893', '\x7875c7c3b740013f', '\xd128f642a4b84dc46f9f674022cddcb0', '\x37e7b5cd19953a46f84e6ffecf32701380348e104239d5bf85e57f5c595f5458400fb762736a1205', '\x171005593ffaa819');
INSERT INTO kinfolk_older.private_directory VALUES (1, 1, '\x1a32513b', '\xde72a79727f9f415', '\xc93b9c238074a1bf916a5fa9bc026d15', '\xfca41b6d4f7fe452c679680b1cc6ac9704162aab80265b4ecb7e3c6cf5235c5c9699446a33269244', '\x9a634697f4c8c870');
INSERT INTO kinfolk_older.private_directory VALUES (1, 1, '\x2beac31a', '\x341085a646854594', '\x0b11c62c349007589925e9fe1fab19d8', '\x40cde057eda9f912b45f7017adcd529b18c115211b98f791b1d8dc22b4d6c69a8edae7df63510b69', '\x3c5ae7eb964ca67d');
INSERT INTO kinfolk_older.private_directory VALUES (1, 2, '\x183ae7d8', '\xe4e488cf51c00a02', '\xc93b9c238074a1bf916a5fa9bc026d15', '\xe6cbdab2806c7f0e6f4930c6234f44b7db8d58b929fdae5355e8909095eb79a3aebc00abf4a36395', '\x30509ec11af89e76');
INSERT INTO kinfolk_older.private_directory VALUES (1, 2, '\x2e545b4e', '\xbe7859602b6e920d', '\x0b11c62c349007589925e9fe1fab19d8', '\x4f6236158e0504d2035ed407fb310081b434e06b0791bdfef3a374f45711d5fa49f9147fd5840758', '\xadcba22a82ec1655');
INSERT INTO kinfolk_older.private_directory VALUES (1, 2, '\x71648f37', '\x12f6802d6a3cab39', '\xebbdddc029f20e8152e29c259f527dfa', '\x9c9dcd49edbd7cece739e89e33bd9c1197c915860b49a201325983682b4d6f3547dc768da8e9dc81', '\x712c463507ece847');
INSERT INTO kinfolk_older.private_directory VALUES (1, 2, '\xe16a3ebd', '\x513626772515f831', '\xd128f642a4b84dc46f9f674022cddcb0', '\xe1624d6395ad086ed90531545d93e1263aaf5c19df0e7a4bf2c3da11f189d13361ca066b1ef3f69b', '\xf355d3298a4d489e');
INSERT INTO kinfolk_older.records VALUES (2, '\x73e605b65060f6a9b21f5d0445b0dfc8', 0, '\x06940a0eeaa0d55f', '\xeeef63506f56d7ab6dee6fcf36c60c41d8cd735f9aa33f9c8f4af8dc177c32fa24b4a0bdcb7068d281413db8526be241d1fea972c565aedd140a53a4ec9eab0ef231a54a9e59df0b6d6a4256', 1767229200000000);
INSERT INTO kinfolk_older.records VALUES (1, '\xebbdddc029f20e8152e29c259f527dfa', 0, '\xac59a3bce3b5c173', '\x7eb2c1fd8e51bfe4d0f4868a9f481d295ca88e649e136366a4587c93e85b526120fc789ef6f1b42190ad61cf9e932a9a69567c2e5cd11e218237b37d444175f8063bd1389d26696b79ef934dcaf6b8c44ad20a5ce181a1edde5576a8b977e1b57ba1af41c3a26da9d58f1b918fbd2d5d3601b92c5ce74f5834111d96aec27a872deffc6acbda6a22678e64b923a2524d7c73ba2218678d75be1f0c7fe888a9d09fc50e063378fc5c6a8536276366b078e0878570d375b00abdf031438a1bd7b66b9e0af13192d75817f32bdcf0d5383f7019c29d64020b298535228df385fcdf65401f2ed8722df4c0e14b4a553c6bf02e9da10474ab9f8fe60a66f99eb9f3040c9eb43349e0cc1f0124e0459e3324e5486de3e99cc97c4ea5345bff7123dc96765081eec0c5c0576799c8131ed0d76d3a07a8fb4ac5a25f7c46f37c84bf8d88c684e24ab7415b4dcd6e8e7de3491df82cc181c6d6b0dd6c5730b3fc7674e886c4f7a0c30737a5e294005e8b8b125dd3b7042d739d1a55f29a36644bd54676c359ac1218695f7dce532118faf61283363207fbcb8eb7b7746538c9108657727be7c013b0c81281412ed31a27a73d3a10b38b953c784b766db18b85789537f01ec09434f1ce7324a005ca1211', 1767229200000000);
INSERT INTO kinfolk_older.records VALUES (1, '\xebbdddc029f20e8152e29c259f527dfa', 1, '\x9597c27210a4cfd7', '\x7eb2c1fd281f10c7e1b93b5909a816a78255a2c96d0bf05854802d8049d5436d554de9a7b352c9a97749da01c5844bc04091e4183edce2abe5c58dfc005ee79970afd62e9904218bd8eaa160', 1767229200000000);
INSERT INTO kinfolk_older.root_keys VALUES (2, '\x3d8954e629dd6e0cf297b4e5b40098ad', '\x919a3bde2db5bd32299840639536f0243e7dd0703a1e446f1bed3fdbd22e8f93237acfaf9a69186d5bc597fb6cac7cb89fce58822af7e26978d9c20e62d52c355ea732f52ecc5ddbad6af8ceb97c5a8e8e06ba14089db8a54ea898e4a728dc3d8615c66e223635fd5d7eeb0a');
INSERT INTO kinfolk_older.root_keys VALUES (3, '\xb04e842878af349fc911b4405dfe1da0', '\x816e556277c608201f446e77635441f3bf3f9ff0426284fb590a7f36a292f34a0f77212c6a01b4dedb4a9fa744f1c644c4ab1c177a4c388219f56f489b47e31296ebd77178b0c1be1efb56706c3dae062ab62eac314decb041b912fdc1bb653f00130b7180d120a950388213');
INSERT INTO kinfolk_older.root_keys VALUES (2, '\x3cfb12bf7f0662e58c8a2e8ca28f5b7b', '\x765811c5b248add1779f57ae136d6caa235f2618784c6fa1a8da95738f2a445298139d9d7ece9ea0788c0f60c764055457bda1946f0ef52aa1a90e7e862dfa14062a30d0f9f40eef0ca65c9505be52374eb2e319a8f9943f1bd87ae7bc6d7852a6526fe844c6eec759dd03a2');
INSERT INTO kinfolk_older.root_keys VALUES (3, '\x32f9c6f24ce18dcd0f2d67750dca73f8', '\x16b1d3eedc2267f1363dbd5d7a69c0337abf2486598595f676b52e761b12ab030f6faf8f10d5d6d5502538138df49a09c61b7b5dc6720c19d72f7d67600d5dbd3ddc7110c3636c70ae1d221de0ef5c9a9c932194e64edf5b4a666a00f02cafd43805c4958337f87687adc349');
INSERT INTO kinfolk_older.service VALUES ('store', '\xec1cba4dd39d2a84c4331e8ec955d92e');
INSERT INTO kinfolk_older.service VALUES ('upkeep', '\x0000000000004fe6');
INSERT INTO kinfolk_older.service VALUES ('bucket_seed', '\x74b4656d7824714ef5e7091d0f5b86e0ff4ca2b3a34731e23f460e2462be873a7c40ed5542ff11e10682381b6ee945edc6baf4ec6afe1d995c241fec094f4cb3bff4c4195b04b96dc03607e042ed33ad20a73c495ce27b80b02573cb25f6246c96dc2390472a2764eeaf238b');
INSERT INTO kinfolk_older.service VALUES ('claim_wait', '\x410fa400000000000a8a61410ea0a3a2315abf68cf61d27f');
INSERT INTO kinfolk_older.service VALUES ('rotation', '\x');
INSERT INTO kinfolk_older.service VALUES ('key_stamp', '\x97a41bb53b6e7b2e6f3fa8d9b00f6cce');
INSERT INTO kinfolk_older.service VALUES ('counter', '\x1ca148cca79f0663cc9d38008a425c0e050000000000000032957d36db4217c9d0b3fda954fa5232');
INSERT INTO kinfolk_older.store_schema VALUES (1263421003, 1);
INSERT INTO kinfolk_older.users VALUES ('\x17708820eccb7c2eb2e565d8449114bf', 1, '\xd128f642a4b84dc46f9f674022cddcb0', '\xc3e55b45a7dbe0139e73bb6660d2d183', 1, 1767225600000000);
INSERT INTO kinfolk_older.users VALUES ('\x21f06b1acd5ff2cc3f14d02d0d030884', 1, '\x0b11c62c349007589925e9fe1fab19d8', '\xfeee3d66e255cb442ff4f2685beae3a5', 1, 1767225600000000);
INSERT INTO kinfolk_older.users VALUES ('\x21f06b1acd5ff2cc3f14d02d0d030884', 2, '\x73e605b65060f6a9b21f5d0445b0dfc8', '\x83a2e3044d0273f61564bdc056c6b3c0', 1, 1767225600000000);
INSERT INTO kinfolk_older.users VALUES ('\x50929af3ac02eae33048570e553fe94a', 1, '\xddb2b93cdef2a6b06d327a9f1458f45f', '\x8509e4064aa6b5d6ad845405d38a99f3', 2, 1767225600000000);
INSERT INTO kinfolk_older.users VALUES ('\x83b1aaf78da1d61378423be92d9b300e', 1, '\xebbdddc029f20e8152e29c259f527dfa', '\x51cc928f5fbec68d613784a138b6c167', 1, 1767225600000000);
INSERT INTO kinfolk_older.users VALUES ('\x83b1aaf78da1d61378423be92d9b300e', 2, '\x17ba191d8457d9c43bf5135e33e4c1af', '\x22bdad151ee8a0d116a366f3d6a636c3', 0, 1767225600000000);
INSERT INTO kinfolk_older.users VALUES ('\x8488ab5696e2a17633db6f2f39165cdc', 1, '\x11853b5ebe4f4c3364a38da12af7e954', '\xea3725c8ea0241686cf008ac709124eb', 1, 1767225600000000);
INSERT INTO kinfolk_older.users VALUES ('\xe02cb0de3aa2cfe8fc5fc4d8bcfc8296', 1, '\xc93b9c238074a1bf916a5fa9bc026d15', '\xaf2a56910f8660c47f1aed3e741bb0d6', 1, 1767225600000000);
INSERT INTO kinfolk_older.users VALUES ('\x50929af3ac02eae33048570e553fe94a', 2, '\xc9bb3f76accef5280b11213e06d77595', '\xd369b3291da1c5af25052bc40b1a076e', 0, 1767225600000000);
INSERT INTO kinfolk_older.verification_codes VALUES ('\x83b1aaf78da1d61378423be92d9b300e', 1, '\xd73b9c1df09d9437d431de1e9252891b', 1, '\xb4baa0ab016739222c5f8c1bf3edd806', 0, 1767232800000000);
INSERT INTO kinfolk_older.verified_emails VALUES ('\xad6204f7aada2ec8592c6b5073292fd1', '\x17708820eccb7c2eb2e565d8449114bf');
INSERT INTO kinfolk_older.verified_emails VALUES ('\x79bafbfcc2ab05fa747fe569fddbee4b', '\x21f06b1acd5ff2cc3f14d02d0d030884');
INSERT INTO kinfolk_older.verified_emails VALUES ('\x9ab71f2bd31a870462e44eb54c3179ab', '\x50929af3ac02eae33048570e553fe94a');
INSERT INTO kinfolk_older.verified_emails VALUES ('\x3e531baeefbab4407acfc89c3f30b41b', '\x83b1aaf78da1d61378423be92d9b300e');
INSERT INTO kinfolk_older.verified_emails VALUES ('\xb45a0d09c50ae9d569866874909aa659', '\x83b1aaf78da1d61378423be92d9b300e');
INSERT INTO kinfolk_older.verified_emails VALUES ('\xac59931b12f376a50ee76badc1ac79c4', '\x8488ab5696e2a17633db6f2f39165cdc');
INSERT INTO kinfolk_older.verified_emails VALUES ('\x28da619c39fd508c08f02ce7c7eaf9dc', '\xe02cb0de3aa2cfe8fc5fc4d8bcfc8296');
INSERT INTO kinfolk_older.wordings VALUES (1, '\xd428ae3ba41fdd8e03c1eeea59f653a0', '\x7eb2c1fd0f577ab4ca26c79be2701b914dbffe1f863bd3969a3805e407afb3c99366f274d781a492e677f30c11618f95a5e57acc8641ed1bcc2ab472a27f7373b75c8f02b7f6b0708a813e33a3859f4ae60fbc2992f0d1e227be18d061d66213f2e18b35f8c108b5077ec325');
INSERT INTO kinfolk_older.wordings VALUES (2, '\x5bbb3c651e3b58ed9af36ff624e17fc0', '\xeeef63500442b31906438b13cbd36c7c1bf2d53fe3c2a7a094a2c2519f164adfc156ed26ecd3af22a562c0dbecf85e1acfb8bed321ef31ec907134b6792afada1acf51975ba8b3dc0c8feef0');
INSERT INTO kinfolk_older.wordings VALUES (1, '\x8fafaf0a57e976aa4feeb4bafb69d213', '\x7eb2c1fdff9cf527c774e8a148905817953a0e96edc613d23384ee226c7722046505e8380809f352f85eb01d6a67630858dcd4723ca0b87da4d78cacfd9aa52b2c1dad60136230f19e6d7517');
ALTER TABLE ONLY kinfolk_older.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (account_id);
ALTER TABLE ONLY kinfolk_older.activity
    ADD CONSTRAINT activity_pkey PRIMARY KEY (container_id, day, lane);
ALTER TABLE ONLY kinfolk_older.address_history_keys
    ADD CONSTRAINT address_history_keys_pkey PRIMARY KEY (day);
ALTER TABLE ONLY kinfolk_older.address_history
    ADD CONSTRAINT address_history_pkey PRIMARY KEY (tag);
ALTER TABLE ONLY kinfolk_older.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (number);
ALTER TABLE ONLY kinfolk_older.blocks
    ADD CONSTRAINT blocks_pkey PRIMARY KEY (container_id, record_id, blocked_id, is_operators);
ALTER TABLE ONLY kinfolk_older.consents
    ADD CONSTRAINT consents_pkey PRIMARY KEY (account_id, container_id, number);
ALTER TABLE ONLY kinfolk_older.container_keys
    ADD CONSTRAINT container_keys_pkey PRIMARY KEY (container_id, epoch);
ALTER TABLE ONLY kinfolk_older.container_limits
    ADD CONSTRAINT container_limits_pkey PRIMARY KEY (container_id);
ALTER TABLE ONLY kinfolk_older.containers
    ADD CONSTRAINT containers_pkey PRIMARY KEY (container_id);
ALTER TABLE ONLY kinfolk_older.directories
    ADD CONSTRAINT directories_pkey PRIMARY KEY (container_id, epoch);
ALTER TABLE ONLY kinfolk_older.directory_counts
    ADD CONSTRAINT directory_counts_pkey PRIMARY KEY (container_id, epoch, lane);
ALTER TABLE ONLY kinfolk_older.directory_lanes
    ADD CONSTRAINT directory_lanes_pkey PRIMARY KEY (container_id, lane);
ALTER TABLE ONLY kinfolk_older.directory
    ADD CONSTRAINT directory_pkey PRIMARY KEY (container_id, tag);
ALTER TABLE ONLY kinfolk_older.email_claims
    ADD CONSTRAINT email_claims_pkey PRIMARY KEY (tag, claimant_id);
ALTER TABLE ONLY kinfolk_older.emails
    ADD CONSTRAINT emails_pkey PRIMARY KEY (account_id, tag);
ALTER TABLE ONLY kinfolk_older.fields
    ADD CONSTRAINT fields_pkey PRIMARY KEY (container_id, name);
ALTER TABLE ONLY kinfolk_older.identities
    ADD CONSTRAINT identities_pkey PRIMARY KEY (container_id, record_id);
ALTER TABLE ONLY kinfolk_older.lasting_keys
    ADD CONSTRAINT lasting_keys_pkey PRIMARY KEY (epoch);
ALTER TABLE ONLY kinfolk_older.limits
    ADD CONSTRAINT limits_pkey PRIMARY KEY (account_id, container_id, kind);
ALTER TABLE ONLY kinfolk_older.private_directory
    ADD CONSTRAINT private_directory_pkey PRIMARY KEY (container_id, epoch, bucket, tag, record_id);
ALTER TABLE ONLY kinfolk_older.records
    ADD CONSTRAINT records_pkey PRIMARY KEY (container_id, record_id, is_private);
ALTER TABLE ONLY kinfolk_older.root_keys
    ADD CONSTRAINT root_keys_pkey PRIMARY KEY (epoch, sealed_under);
ALTER TABLE ONLY kinfolk_older.service
    ADD CONSTRAINT service_pkey PRIMARY KEY (name);
ALTER TABLE ONLY kinfolk_older.store_schema
    ADD CONSTRAINT store_schema_pkey PRIMARY KEY (application);
ALTER TABLE ONLY kinfolk_older.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (account_id, container_id);
ALTER TABLE ONLY kinfolk_older.verification_codes
    ADD CONSTRAINT verification_codes_pkey PRIMARY KEY (account_id, number);
ALTER TABLE ONLY kinfolk_older.verified_emails
    ADD CONSTRAINT verified_emails_pkey PRIMARY KEY (tag);
ALTER TABLE ONLY kinfolk_older.wordings
    ADD CONSTRAINT wordings_pkey PRIMARY KEY (container_id, wording_id);
CREATE INDEX address_history_by_day ON kinfolk_older.address_history USING btree (day);
CREATE INDEX address_history_by_end ON kinfolk_older.address_history USING btree (expires);
CREATE INDEX audit_by_record ON kinfolk_older.audit USING btree (container_id, record_id);
CREATE INDEX blocks_by_blocked ON kinfolk_older.blocks USING btree (container_id, blocked_id);
CREATE INDEX consents_by_wording ON kinfolk_older.consents USING btree (container_id, wording_id);
CREATE UNIQUE INDEX containers_by_name ON kinfolk_older.containers USING btree (name) WHERE (state <> 2);
CREATE INDEX directory_by_sequence ON kinfolk_older.directory USING btree (container_id, sequence);
CREATE INDEX email_claims_by_claimant ON kinfolk_older.email_claims USING btree (claimant_id);
CREATE INDEX email_claims_by_id ON kinfolk_older.email_claims USING btree (claim_id);
CREATE INDEX email_claims_by_owner ON kinfolk_older.email_claims USING btree (owner_id);
CREATE INDEX limits_by_container ON kinfolk_older.limits USING btree (container_id, kind);
CREATE INDEX users_by_record ON kinfolk_older.users USING btree (container_id, record_id);
CREATE INDEX verification_codes_by_time ON kinfolk_older.verification_codes USING btree (issued_at);
