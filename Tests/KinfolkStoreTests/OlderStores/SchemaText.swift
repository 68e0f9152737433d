import KinfolkStorage
import TestSupport

/// The tables, columns, keys and indexes of a store, as text.
enum SchemaText {
    static func of(_ db: Connection) throws -> [String] {
        TemporaryFolder.hasFiles ? try ofFile(db) : try ofServer(db)
    }

    private static func ofFile(_ db: Connection) throws -> [String] {
        let columns = try db.all(
            """
            SELECT printf('%s %d %d %s %s %d %s %d', t.name, t.wr, c.cid, c.name, c.type, c."notnull", c.dflt_value, c.pk)
            FROM pragma_table_list t JOIN pragma_table_info(t.name) c WHERE t.schema = 'main' AND t.type = 'table'
            ORDER BY t.name, c.cid
            """
        ) { $0.text(0) }
        let indexes = try db.all(
            """
            SELECT printf('%s %s %d %s %d %d %s %d %s', t.name, i.name, i."unique", i.origin, i.partial, c.seqno, c.name,
                c."desc", c.coll)
            FROM pragma_table_list t JOIN pragma_index_list(t.name) i JOIN pragma_index_xinfo(i.name) c
            WHERE t.schema = 'main' AND t.type = 'table' ORDER BY t.name, i.name, c.seqno
            """
        ) { $0.text(0) }
        return columns + indexes
    }

    private static func ofServer(_ db: Connection) throws -> [String] {
        let columns = try db.all(
            """
            SELECT concat_ws(' ', table_name, ordinal_position, column_name, data_type, is_nullable, column_default,
            collation_name)::text
            FROM information_schema.columns WHERE table_schema = current_schema()::text
            ORDER BY table_name::text, ordinal_position
            """
        ) { $0.text(0) }
        let indexes = try db.all(
            """
            SELECT replace(indexdef, current_schema() || '.', '')::text FROM pg_indexes
            WHERE schemaname::text = current_schema()::text ORDER BY indexname::text
            """
        ) { $0.text(0) }
        return columns + indexes
    }
}
