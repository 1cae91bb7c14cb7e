#if PostgreSQL
  extension Setup {
    /// The functions of the schema, made or made anew.
    static let functions = """
      CREATE OR REPLACE FUNCTION livelists.start() RETURNS uuid LANGUAGE plpgsql SET search_path = pg_catalog AS $$
      DECLARE
        here_system bigint := (SELECT system_identifier FROM pg_control_system());
        here_database oid := (SELECT oid FROM pg_database WHERE datname = current_database());
        known uuid;
        is_own boolean;
      BEGIN
        SELECT id, system = here_system AND database = here_database AND made::xid = xmin INTO known, is_own FROM livelists.boot;
        IF is_own THEN RETURN known; END IF;
        PERFORM pg_advisory_xact_lock(\(lock));
        SELECT id, system = here_system AND database = here_database AND made::xid = xmin INTO known, is_own FROM livelists.boot;
        IF is_own THEN RETURN known; END IF;
        -- Its row comes behind that of `boot`, which would be there twice.
        IF NOT EXISTS (SELECT FROM livelists.version) THEN
          RAISE EXCEPTION 'The schema “livelists” is not complete: it is being restored.' USING ERRCODE = 'object_not_in_prerequisite_state';
        END IF;
        IF known IS NOT NULL THEN
          -- Copied from another database, or from a dump of this one: the transaction ids that came along mean nothing here.
          DELETE FROM livelists.boot;
          DELETE FROM livelists.log;
          UPDATE livelists.horizon SET pruned = pg_current_snapshot();
        END IF;
        INSERT INTO livelists.boot (system, database) VALUES (here_system, here_database) RETURNING id INTO known;
        -- Prepared transactions outlive a crash, and their rows of the log do not. Each stands for all rows of all tables, once it has ended.
        INSERT INTO livelists.log (xid, tab, op) SELECT x, w.tab, 'T' FROM pg_snapshot_xip(pg_current_snapshot()) x, livelists.watched w
        WHERE x::xid IN (SELECT p.transaction FROM pg_prepared_xacts p WHERE p.database = current_database());
        -- What the snapshot from before saw may be numbers that are used again.
        UPDATE livelists.horizon SET next = pg_current_snapshot(), next_at = clock_timestamp();
        RETURN known;
      END $$;

      -- What was committed since a snapshot, at most so many rows of the log, and what tells whether that is all. One statement, which sees one
      -- state. As a function it is planned once for a session, where planning took two thirds of a look, and whatever stands between node
      -- and server. Planned without the snapshot the server would take a third of the log for new, and read all of it: so not row by row, and
      -- not by one condition, which it may take for no more than a filter of the whole index.
      -- A row may be of a transaction that has not ended (see `start`).
      -- A long log has the server expect many rows, and compile the query: 13 ms for a look that takes 0.3.
      -- The tables of one row are read in subqueries, and by their keys: joined, the server would take them for thousands, and compile the query.
      CREATE OR REPLACE FUNCTION livelists.look(since text, most bigint) RETURNS TABLE (
        seen text, epoch text, pruned text, tab integer, op text, key text, origin text, node text, lag float8, routes text[], same bigint
      ) LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off AS $$
      #variable_conflict use_column
      BEGIN
        RETURN QUERY SELECT pg_catalog.pg_current_snapshot()::text, (SELECT id::text FROM livelists.boot WHERE one AND made::xid = xmin),
          (SELECT h.pruned::text FROM livelists.horizon h WHERE one),
          l.tab, l.op::text, l.key, l.origin, l.node, extract(epoch FROM pg_catalog.clock_timestamp() - l.at)::float8, l.routes, l.same
        FROM (VALUES (1)) AS always LEFT JOIN LATERAL (
          SELECT * FROM (
            SELECT g.tab, g.op, g.key, g.origin, g.node, g.at, g.routes, g.same FROM livelists.log g
            WHERE g.xid >= pg_catalog.pg_snapshot_xmax(since::pg_catalog.pg_snapshot)
              AND pg_catalog.pg_visible_in_snapshot(g.xid, (SELECT pg_catalog.pg_current_snapshot()))
            UNION ALL
            SELECT g.tab, g.op, g.key, g.origin, g.node, g.at, g.routes, g.same FROM livelists.log g
            WHERE g.xid = ANY (ARRAY(SELECT pg_catalog.pg_snapshot_xip(since::pg_catalog.pg_snapshot)))
              AND pg_catalog.pg_visible_in_snapshot(g.xid, (SELECT pg_catalog.pg_current_snapshot()))
          ) found ORDER BY at LIMIT most
        ) l ON true;
      END $$;

      -- Deletes what all nodes have seen that have looked within the age. A transaction that was open meanwhile is not lost.
      CREATE OR REPLACE FUNCTION livelists.prune(age interval) RETURNS boolean LANGUAGE plpgsql SET search_path = pg_catalog AS $$
      DECLARE
        bound livelists.horizon;
      BEGIN
        IF NOT pg_try_advisory_xact_lock(\(lock + 1)) THEN RETURN false; END IF;
        SELECT * INTO bound FROM livelists.horizon;
        IF bound.next_at > clock_timestamp() - age THEN RETURN false; END IF;
        DELETE FROM livelists.log WHERE xid < pg_snapshot_xmax(bound.next) AND pg_visible_in_snapshot(xid, bound.next);
        UPDATE livelists.horizon SET pruned = bound.next, next = pg_current_snapshot(), next_at = clock_timestamp();
        RETURN true;
      END $$;

      -- The number under which a table's rows are in the log; NULL where its triggers are not all there and enabled.
      CREATE OR REPLACE FUNCTION livelists.watching(rel oid, key text) RETURNS integer LANGUAGE sql STABLE SET search_path = pg_catalog AS $$
        SELECT w.tab FROM livelists.watched w
        WHERE w.rel = $1 AND w.key IS NOT DISTINCT FROM $2
          AND w.tab = (SELECT max(l.tab) FROM livelists.watched l WHERE l.rel = $1)
          AND (SELECT count(*) FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
            WHERE t.tgrelid = $1 AND t.tgenabled = 'A' AND NOT t.tgisinternal
              AND t.tgname IN ('livelists_rows', 'livelists_updates', 'livelists_whole')
              AND p.pronamespace = 'livelists'::regnamespace
              AND strpos(p.prosrc, '/* ' || w.tab || ' */') > 0)
            = CASE WHEN $2 IS NULL THEN 1 ELSE 3 END
      $$;

      -- What a table and its triggers are like, and which transactions have made them so: what was altered and altered back is not as before,
      -- as commits meanwhile may not have been noted, and rows be other ones. A table that is written anew gets another file.
      CREATE OR REPLACE FUNCTION livelists.fingerprint(rel oid) RETURNS text LANGUAGE sql STABLE SET search_path = pg_catalog AS $$
        SELECT md5(concat_ws(E'\\n',
          (SELECT format('%s %s %s %s %s', relname, relnamespace, relkind, relfilenode, xmin) FROM pg_class WHERE oid = $1),
          (SELECT string_agg(format('%s %s %s %s %s %s', attnum, attname, atttypid, attnotnull, attcollation, xmin), E'\\n' ORDER BY attnum)
            FROM pg_attribute WHERE attrelid = $1 AND attnum > 0 AND NOT attisdropped),
          (SELECT string_agg(format('%s %s %s', tgname, tgenabled, xmin), E'\\n' ORDER BY tgname)
            FROM pg_trigger WHERE tgrelid = $1 AND tgname LIKE 'livelists%')))
      $$;

      -- The columns of a table as a trigger function compares them.
      CREATE OR REPLACE FUNCTION livelists.columns(rel oid) RETURNS text LANGUAGE sql STABLE SET search_path = pg_catalog AS $$
        SELECT coalesce(string_agg(format('%s %I %s %s', attnum, attname, atttypid, attcollation), ', ' ORDER BY attnum), '')
        FROM pg_attribute WHERE attrelid = $1 AND attnum > 0 AND NOT attisdropped
      $$;

      -- Whether a table has columns of such names and types. For triggers, whose functions ask on every call: as it is declared to be immutable, the
      -- answer becomes a part of their plans, which the server drops whenever the table changes, because they name it. The names are looked
      -- up as a statement's are, and not in the catalogue, of which a transaction may see an older state.
      CREATE OR REPLACE FUNCTION livelists.fits(rel regclass, names text[], types oid[]) RETURNS boolean LANGUAGE plpgsql IMMUTABLE
      SET search_path = pg_catalog AS $$
      DECLARE
        found oid[];
      BEGIN
        EXECUTE (SELECT format('SELECT ARRAY[%s]', string_agg(format('pg_typeof((NULL::%s).%I)::oid', rel, n), ', ' ORDER BY place))
          FROM unnest(names) WITH ORDINALITY AS n(n, place)) INTO found;
        RETURN found = types;
      EXCEPTION WHEN OTHERS THEN RETURN false;
      END $$;

      -- A column's name in quotes in any case: some words are keywords to PL/pgSQL alone, and the server would not quote them.
      CREATE OR REPLACE FUNCTION livelists.quoted(name text) RETURNS text LANGUAGE sql IMMUTABLE SET search_path = pg_catalog AS $$
        SELECT '"' || replace(coalesce($1, ''), '"', '""') || '"'
      $$;

      -- Makes the function that a table's triggers call. The column of the key has to be there. All else that it takes from a row it takes in
      -- blocks that give it up where a column is gone or of another type: a row that is not told apart concerns every list, and nobody is
      -- kept from writing.
      CREATE OR REPLACE FUNCTION livelists.make(rel oid, number integer, key text, noted text[]) RETURNS void LANGUAGE plpgsql
      SET search_path = pg_catalog AS $$
      DECLARE
        signature text := livelists.columns(rel);
        -- Of an older version it has the number of the table, which in a copy of the database may be that of another one.
        called text := coalesce((SELECT p.proname FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
          WHERE t.tgrelid = rel AND t.tgname = 'livelists_whole' AND p.pronamespace = 'livelists'::regnamespace
            AND strpos(p.prosrc, '/* ' || number || ' */') > 0), 'log_' || number);
        head text := 'INSERT INTO livelists.log (tab, op, key, same, routes, origin, node) VALUES (' || number || ', %L, %s, %s, %s, '
          || 'nullif(current_setting(''livelists.origin'', true), ''''), nullif(current_setting(''livelists.node'', true), '''')); ';
        whole text := format(head, 'T', 'NULL', 'NULL', 'NULL');
        -- One row for all of a transaction's, where that was asked for.
        bulk text := format('IF current_setting(''livelists.bulk'', true) = ''on'' THEN '
          'IF strpos(coalesce(current_setting(''livelists.told'', true), ''''), %1$L) = 0 THEN '
          'PERFORM set_config(''livelists.told'', coalesce(current_setting(''livelists.told'', true), '''') || %1$L, true); '
          '%2$sEND IF; RETURN NULL; END IF; ', ' ' || number || ' ', whole);
        -- Sessions that are open have planned for the type that a column had: its text is then taken in another way.
        taken text := 'BEGIN %s EXCEPTION WHEN OTHERS THEN same := NULL; routes := NULL; %s END; ';
        old_key text := format('old_key := OLD.%s::text; ', livelists.quoted(key));
        new_key text := format('new_key := NEW.%s::text; ', livelists.quoted(key));
        old_key_else text := format('EXECUTE %L INTO old_key USING OLD; ', format('SELECT ($1).%I::text', coalesce(key, '')));
        new_key_else text := format('EXECUTE %L INTO new_key USING NEW; ', format('SELECT ($1).%I::text', coalesce(key, '')));
        of_old text := coalesce((SELECT 'routes := ARRAY[' || string_agg(format('%L, OLD.%s::text, NULL', c, livelists.quoted(c)), ', ') || ']; ' FROM unnest(noted) c), '');
        of_new text := coalesce((SELECT 'routes := ARRAY[' || string_agg(format('%L, NULL, NEW.%s::text', c, livelists.quoted(c)), ', ') || ']; ' FROM unnest(noted) c), '');
        of_both text := coalesce(
          (SELECT 'routes := ARRAY[' || string_agg(format('%L, OLD.%2$s::text, NEW.%2$s::text', c, livelists.quoted(c)), ', ') || ']; ' FROM unnest(noted) c), '');
        -- By bytes. What may lie outside of its row is not fetched to be compared, and counts as changed, as do values of other types.
        same text := (
          SELECT 'same := ' || string_agg(format('CASE WHEN %s THEN %s ELSE 0 END',
            format(CASE
              WHEN atttypid = ANY ('{int2,int4,int8,bool,oid,uuid,date,timestamp,timestamptz,float4,float8}'::regtype[])
                THEN 'OLD.%1$s IS NOT DISTINCT FROM NEW.%1$s'
              WHEN atttypid = ANY ('{bytea,int4[],int8[],uuid[]}'::regtype[])
                THEN '(pg_column_size(NEW.%1$s) > 2000) IS NOT TRUE AND OLD.%1$s IS NOT DISTINCT FROM NEW.%1$s'
              WHEN atttypid = ANY ('{text,varchar,text[],varchar[]}'::regtype[])
                THEN '(pg_column_size(NEW.%1$s) > 2000) IS NOT TRUE AND OLD.%1$s COLLATE "C" IS NOT DISTINCT FROM NEW.%1$s COLLATE "C"'
              WHEN atttypid = ANY ('{numeric,json,jsonb,bpchar,xml}'::regtype[]) OR typtype = 'e'
                THEN '(pg_column_size(NEW.%1$s) > 2000) IS NOT TRUE AND OLD.%1$s::text COLLATE "C" IS NOT DISTINCT FROM NEW.%1$s::text COLLATE "C"'
              ELSE 'false'
            END, livelists.quoted(attname)), (1::bigint << (attnum - 1)) || '::bigint'), ' + ') || '; '
          FROM pg_attribute JOIN pg_type t ON t.oid = atttypid
          WHERE attrelid = rel AND attnum BETWEEN 1 AND 63 AND NOT attisdropped);
        all_same bigint := (SELECT coalesce(sum(1::bigint << (attnum - 1)), 0) FROM pg_attribute
          WHERE attrelid = rel AND attnum BETWEEN 1 AND 63 AND NOT attisdropped);
        key_same bigint := (SELECT 1::bigint << (attnum - 1) FROM pg_attribute WHERE attrelid = rel AND attname = key AND attnum BETWEEN 1 AND 63);
        usual text := CASE WHEN key_same IS NOT NULL THEN format('same & %1$s = %1$s AND same <> %2$s', key_same, all_same) END;
        -- The usual case, without a block that costs a savepoint: nothing fails where the table is as it was.
        quick text := format('IF TG_OP = ''UPDATE'' AND TG_RELID = %1$s AND livelists.fits(''%1$s''::regclass, %2$L, %3$L) '
          'AND current_setting(''livelists.bulk'', true) IS DISTINCT FROM ''on'' THEN ', rel,
          (SELECT array_agg(attname::text ORDER BY attnum) FROM pg_attribute WHERE attrelid = rel AND attnum > 0 AND NOT attisdropped),
          (SELECT array_agg(atttypid ORDER BY attnum) FROM pg_attribute WHERE attrelid = rel AND attnum > 0 AND NOT attisdropped))
          || same || 'IF ' || usual || ' THEN ' || of_both || format(head, 'U', format('NEW.%s::text', livelists.quoted(key)), 'same', 'routes')
          || 'RETURN NULL; END IF; END IF; ';
      BEGIN
        EXECUTE format('CREATE OR REPLACE FUNCTION livelists.%I() RETURNS trigger LANGUAGE plpgsql AS %L', called,
          '/* ' || number || ' */ DECLARE routes text[]; same bigint; old_key text; new_key text; BEGIN '
          || CASE WHEN key IS NULL THEN whole ELSE
            coalesce(quick, '')
            || 'IF TG_OP = ''UPDATE'' THEN ' || format(taken, new_key || of_both || coalesce(same, ''), new_key_else)
            || coalesce('IF ' || usual || ' AND current_setting(''livelists.bulk'', true) IS DISTINCT FROM ''on'' THEN '
              || format(head, 'U', 'new_key', 'same', 'routes') || 'RETURN NULL; END IF; ', '')
            || 'ELSIF TG_LEVEL = ''STATEMENT'' THEN ' || whole || 'RETURN NULL; END IF; ' || bulk
            -- A column that came later is compared by nothing else.
            || 'IF TG_OP = ''UPDATE'' THEN ' || format('IF same = %s AND OLD.* *= NEW.* THEN RETURN NULL; END IF; ', all_same)
            || format(taken, old_key, old_key_else)
            || 'IF old_key = new_key COLLATE "C" THEN ' || format(head, 'U', 'new_key', 'same', 'routes')
            || 'ELSE ' || format(head, 'D', 'old_key', 'NULL', 'routes') || format(head, 'I', 'new_key', 'NULL', 'routes') || 'END IF; '
            || 'ELSIF TG_OP = ''INSERT'' THEN ' || format(taken, new_key || of_new, new_key_else) || format(head, 'I', 'new_key', 'NULL', 'routes')
            || 'ELSE ' || format(taken, old_key || of_old, old_key_else) || format(head, 'D', 'old_key', 'NULL', 'routes')
            || 'END IF; ' END
          || 'RETURN NULL; END');
        UPDATE livelists.watched w SET compared = signature WHERE w.tab = number;
      END $$;

      -- Makes the function of a table's triggers anew where the table has other columns than it compares, or an older version made it.
      CREATE OR REPLACE FUNCTION livelists.renew(rel regclass) RETURNS boolean LANGUAGE plpgsql SET search_path = pg_catalog AS $$
      DECLARE
        known livelists.watched;
      BEGIN
        SELECT * INTO known FROM livelists.watched w WHERE w.rel = $1 AND livelists.watching($1, w.key) = w.tab;
        IF known.tab IS NULL OR known.key IS NULL THEN RETURN false; END IF;
        IF known.compared = livelists.columns(rel) THEN RETURN true; END IF;
        PERFORM pg_advisory_xact_lock(\(lock));
        SELECT * INTO known FROM livelists.watched w WHERE w.rel = $1 AND livelists.watching($1, w.key) = w.tab;
        IF known.tab IS NULL THEN RETURN false; END IF;
        IF known.compared <> livelists.columns(rel) THEN PERFORM livelists.make(rel, known.tab, known.key, known.noted); END IF;
        RETURN true;
      END $$;

      -- Has the values of a column written into the log, by which nodes find the lists that a row concerns.
      CREATE OR REPLACE FUNCTION livelists.note(rel regclass, col text) RETURNS boolean LANGUAGE plpgsql SET search_path = pg_catalog AS $$
      DECLARE
        known livelists.watched;
      BEGIN
        PERFORM pg_advisory_xact_lock(\(lock));
        SELECT * INTO known FROM livelists.watched w WHERE w.rel = $1 AND livelists.watching($1, w.key) = w.tab;
        IF known.tab IS NULL OR known.key IS NULL THEN RETURN false; END IF;
        IF col = ANY (known.noted) THEN RETURN true; END IF;
        IF cardinality(known.noted) >= 4 THEN RETURN false; END IF;
        PERFORM livelists.make(rel, known.tab, known.key, known.noted || col);
        UPDATE livelists.watched w SET noted = w.noted || col WHERE w.tab = known.tab;
        RETURN true;
      END $$;

      -- Takes the triggers of a table away, and the function that nobody calls any more.
      CREATE OR REPLACE FUNCTION livelists.untie(rel regclass) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog AS $$
      DECLARE
        called oid[] := ARRAY(SELECT DISTINCT t.tgfoid FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
          WHERE t.tgrelid = $1 AND t.tgname IN ('livelists_rows', 'livelists_updates', 'livelists_whole')
            AND p.pronamespace = 'livelists'::regnamespace);
        one oid;
      BEGIN
        EXECUTE format('DROP TRIGGER IF EXISTS livelists_rows ON %1$s; DROP TRIGGER IF EXISTS livelists_updates ON %1$s;
          DROP TRIGGER IF EXISTS livelists_whole ON %1$s', rel);
        FOREACH one IN ARRAY called LOOP
          CONTINUE WHEN EXISTS (SELECT FROM pg_trigger t WHERE t.tgfoid = one);
          BEGIN
            EXECUTE format('DROP FUNCTION %s', one::regprocedure);
          EXCEPTION WHEN insufficient_privilege THEN NULL;
          END;
        END LOOP;
      END $$;

      -- Makes the triggers of a table, unless they are there. Rows are told apart by the key, so no two may have the same.
      CREATE OR REPLACE FUNCTION livelists.watch(rel regclass, key text) RETURNS integer LANGUAGE plpgsql SET search_path = pg_catalog AS $$
      DECLARE
        number integer;
      BEGIN
        PERFORM pg_advisory_xact_lock(\(lock));
        number := livelists.watching(rel, key);
        IF number IS NOT NULL THEN RETURN number; END IF;
        IF EXISTS (SELECT FROM pg_class WHERE oid = rel AND relnamespace = 'livelists'::regnamespace) THEN
          RAISE EXCEPTION '% is a table of LiveLists itself, which no list can be made of.', rel USING ERRCODE = 'wrong_object_type';
        END IF;
        IF EXISTS (SELECT FROM pg_class WHERE oid = rel AND (relkind <> 'r' OR relpersistence = 't')) THEN
          RAISE EXCEPTION '% is no table that lists can be made of: it is partitioned, temporary, or a view.', rel
            USING ERRCODE = 'wrong_object_type', HINT = 'Watch the single partitions, or the tables that the view reads.';
        END IF;
        IF key IS NOT NULL AND NOT EXISTS (SELECT FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
          WHERE i.indrelid = rel AND a.attname = key AND a.attnotnull AND i.indisunique AND i.indisvalid AND i.indnkeyatts = 1
            AND i.indpred IS NULL)
        THEN
          RAISE EXCEPTION 'The table % has no unique index on the column “%” alone, or the column can be NULL.', rel, key
            USING ERRCODE = 'invalid_table_definition', HINT = 'Let it be the primary key, or name the column that is.';
        END IF;
        INSERT INTO livelists.watched (rel, key) VALUES (rel, key) RETURNING tab INTO number;
        PERFORM livelists.make(rel, number, key, '{}');
        PERFORM livelists.untie(rel);
        IF key IS NULL THEN
          EXECUTE format('CREATE TRIGGER livelists_whole AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON %s
            FOR EACH STATEMENT EXECUTE FUNCTION livelists.%I()', rel, 'log_' || number);
        ELSE
          EXECUTE format('CREATE TRIGGER livelists_rows AFTER INSERT OR DELETE ON %s
            FOR EACH ROW EXECUTE FUNCTION livelists.%I()', rel, 'log_' || number);
          EXECUTE format('CREATE TRIGGER livelists_updates AFTER UPDATE ON %s
            FOR EACH ROW EXECUTE FUNCTION livelists.%I()', rel, 'log_' || number);
          EXECUTE format('CREATE TRIGGER livelists_whole AFTER TRUNCATE ON %s
            FOR EACH STATEMENT EXECUTE FUNCTION livelists.%I()', rel, 'log_' || number);
          EXECUTE format('ALTER TABLE %1$s ENABLE ALWAYS TRIGGER livelists_rows, ENABLE ALWAYS TRIGGER livelists_updates', rel);
        END IF;
        -- Also where a replica's changes are applied.
        EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER livelists_whole', rel);
        RETURN number;
      END $$;

      -- Takes the triggers of a table away: before its key column is renamed or dropped, or when no lists are made of it any more.
      CREATE OR REPLACE FUNCTION livelists.unwatch(rel regclass) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock(\(lock));
        PERFORM livelists.untie(rel);
        DELETE FROM livelists.watched w WHERE w.rel = $1;
      END $$;

      -- Lets a role write to watched tables; a role of a node also read and prune the log, and watch the tables that it owns.
      CREATE OR REPLACE FUNCTION livelists.allow(role regrole, node boolean DEFAULT false) RETURNS void LANGUAGE plpgsql
      SET search_path = pg_catalog AS $$
      BEGIN
        EXECUTE format('GRANT USAGE ON SCHEMA livelists TO %1$s; GRANT INSERT ON livelists.log TO %1$s', role);
        IF node THEN
          EXECUTE format('GRANT SELECT ON ALL TABLES IN SCHEMA livelists TO %1$s; GRANT DELETE ON livelists.log TO %1$s;
            GRANT UPDATE ON livelists.horizon TO %1$s; GRANT INSERT, DELETE ON livelists.boot TO %1$s;
            GRANT INSERT, UPDATE, DELETE ON livelists.watched TO %1$s; GRANT CREATE ON SCHEMA livelists TO %1$s', role);
        END IF;
      END $$;
      """
  }
#endif
