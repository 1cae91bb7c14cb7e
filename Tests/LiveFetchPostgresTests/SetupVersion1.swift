#if PostgreSQL
  enum SetupVersion1 {
    /// The schema as the first version of the library set it up.
    static let script = #"""
      CREATE SCHEMA livelists;
      CREATE TABLE livelists.version (number bigint PRIMARY KEY, installed timestamptz NOT NULL DEFAULT now());
      INSERT INTO livelists.version (number) VALUES (1);

      -- Which rows were touched, by which transaction. A key of NULL stands for the whole table. Unlogged, as what it loses it loses
      -- together with the epoch in `boot`: whoever finds another epoch reads everything anew. The sequence is logged: one that is not
      -- cannot be used on a promoted standby (PostgreSQL 15 says “bad magic number”).
      CREATE SEQUENCE livelists.log_order;
      CREATE UNLOGGED TABLE livelists.log (
        seq bigint NOT NULL DEFAULT nextval('livelists.log_order'),
        xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
        tab integer NOT NULL,
        op "char" NOT NULL,
        key text,
        -- Of each noted column its name, its value before, and its value after.
        routes text[],
        origin text,
        node text,
        at timestamptz NOT NULL DEFAULT clock_timestamp()
      ) WITH (autovacuum_vacuum_scale_factor = 0.01);
      CREATE INDEX log_xid ON livelists.log (xid);

      -- Each making of a table's triggers has a number of its own, by which its rows in the log are known.
      CREATE TABLE livelists.watched (
        tab integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, rel oid NOT NULL, key text,
        -- The columns whose values are written into the log.
        noted text[] NOT NULL DEFAULT '{}'
      );
      CREATE INDEX watched_rel ON livelists.watched (rel);

      -- What was deleted from the log is visible in `pruned`; what is visible in `next` is deleted next.
      CREATE TABLE livelists.horizon (
        one boolean PRIMARY KEY DEFAULT true CHECK (one),
        pruned pg_snapshot NOT NULL DEFAULT pg_current_snapshot(),
        next pg_snapshot NOT NULL DEFAULT pg_current_snapshot(),
        next_at timestamptz NOT NULL DEFAULT clock_timestamp()
      );
      INSERT INTO livelists.horizon DEFAULT VALUES;

      -- Unlogged: PostgreSQL empties it where commits may have been lost, and transaction ids be used again. A node that finds
      -- another id than before cannot go on from where it was.
      CREATE UNLOGGED TABLE livelists.boot (
        one boolean PRIMARY KEY DEFAULT true CHECK (one),
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        system bigint NOT NULL,
        database oid NOT NULL
      );

      CREATE FUNCTION livelists.start() RETURNS uuid LANGUAGE plpgsql SET search_path = pg_catalog AS $$
      DECLARE
        here_system bigint := (SELECT system_identifier FROM pg_control_system());
        here_database oid := (SELECT oid FROM pg_database WHERE datname = current_database());
        known livelists.boot;
      BEGIN
        SELECT * INTO known FROM livelists.boot;
        IF known.id IS NOT NULL AND known.system = here_system AND known.database = here_database THEN
          RETURN known.id;
        END IF;
        PERFORM pg_advisory_xact_lock(7811905206633460596);
        SELECT * INTO known FROM livelists.boot;
        IF known.id IS NOT NULL AND (known.system <> here_system OR known.database <> here_database) THEN
          -- A copy of another database: its transaction ids mean nothing here.
          DELETE FROM livelists.boot;
          DELETE FROM livelists.log;
          UPDATE livelists.horizon SET pruned = pg_current_snapshot(), next = pg_current_snapshot(), next_at = clock_timestamp();
          known := NULL;
        END IF;
        IF known.id IS NULL THEN
          INSERT INTO livelists.boot (system, database) VALUES (here_system, here_database) RETURNING * INTO known;
          -- What the snapshot from before saw may be numbers that are used again.
          UPDATE livelists.horizon SET next = pg_current_snapshot(), next_at = clock_timestamp();
        END IF;
        RETURN known.id;
      END $$;

      -- Deletes what all nodes have seen that have looked within the age. A transaction that was open meanwhile is not lost.
      CREATE FUNCTION livelists.prune(age interval) RETURNS boolean LANGUAGE plpgsql SET search_path = pg_catalog AS $$
      DECLARE
        bound livelists.horizon;
      BEGIN
        IF NOT pg_try_advisory_xact_lock(7811905206633460597) THEN RETURN false; END IF;
        SELECT * INTO bound FROM livelists.horizon;
        IF bound.next_at > clock_timestamp() - age THEN RETURN false; END IF;
        DELETE FROM livelists.log WHERE xid < pg_snapshot_xmax(bound.next) AND pg_visible_in_snapshot(xid, bound.next);
        UPDATE livelists.horizon SET pruned = bound.next, next = pg_current_snapshot(), next_at = clock_timestamp();
        RETURN true;
      END $$;

      -- The number under which a table's rows are in the log; NULL where its triggers are not all there and enabled.
      CREATE FUNCTION livelists.watching(rel oid, key text) RETURNS integer LANGUAGE sql STABLE SET search_path = pg_catalog AS $$
        SELECT w.tab FROM livelists.watched w
        WHERE w.rel = $1 AND w.key IS NOT DISTINCT FROM $2
          AND w.tab = (SELECT max(l.tab) FROM livelists.watched l WHERE l.rel = $1)
          AND (SELECT count(*) FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
            WHERE t.tgrelid = $1 AND t.tgenabled = 'A' AND NOT t.tgisinternal
              AND t.tgname IN ('livelists_rows', 'livelists_updates', 'livelists_whole')
              AND p.proname = 'note_' || $1 AND p.pronamespace = 'livelists'::regnamespace
              AND strpos(p.prosrc, '/* ' || w.tab || ' */') > 0)
            = CASE WHEN $2 IS NULL THEN 1 ELSE 3 END
      $$;

      -- What a table and its triggers are like.
      CREATE FUNCTION livelists.fingerprint(rel oid) RETURNS text LANGUAGE sql STABLE SET search_path = pg_catalog AS $$
        SELECT md5(concat_ws(E'\n',
          (SELECT format('%s %s %s', relname, relnamespace, relkind) FROM pg_class WHERE oid = $1),
          (SELECT string_agg(format('%s %s %s %s %s', attnum, attname, atttypid, attnotnull, attcollation), E'\n' ORDER BY attnum)
            FROM pg_attribute WHERE attrelid = $1 AND attnum > 0 AND NOT attisdropped),
          (SELECT string_agg(format('%s %s', tgname, tgenabled), E'\n' ORDER BY tgname)
            FROM pg_trigger WHERE tgrelid = $1 AND tgname LIKE 'livelists%')))
      $$;

      -- Makes the function that a table's triggers call. Noted columns that are gone are not noted; the key's has to be there.
      CREATE FUNCTION livelists.make(rel oid, number integer, key text, noted text[]) RETURNS void LANGUAGE plpgsql
      SET search_path = pg_catalog AS $$
      DECLARE
        head text := 'INSERT INTO livelists.log (tab, op, key, routes, origin, node) VALUES (' || number || ', %L, %s, routes, '
          || 'nullif(current_setting(''livelists.origin'', true), ''''), nullif(current_setting(''livelists.node'', true), ''''));';
        head_of text := 'BEGIN routes := ARRAY[';
        end_of text := ']; EXCEPTION WHEN undefined_column THEN routes := NULL; END; ';
        of_old text := coalesce((SELECT head_of || string_agg(format('%L, OLD.%I::text, NULL', c, c), ', ') || end_of FROM unnest(noted) c), '');
        of_new text := coalesce((SELECT head_of || string_agg(format('%L, NULL, NEW.%I::text', c, c), ', ') || end_of FROM unnest(noted) c), '');
        of_both text := coalesce(
          (SELECT head_of || string_agg(format('%1$L, OLD.%1$I::text, NEW.%1$I::text', c), ', ') || end_of FROM unnest(noted) c), '');
      BEGIN
        EXECUTE format('CREATE OR REPLACE FUNCTION livelists.%I() RETURNS trigger LANGUAGE plpgsql AS %L', 'note_' || rel,
          '/* ' || number || ' */ DECLARE routes text[]; BEGIN IF TG_LEVEL = ''STATEMENT'' THEN ' || format(head, 'T', 'NULL')
          || CASE WHEN key IS NULL THEN '' ELSE
            ' ELSIF TG_OP = ''INSERT'' THEN ' || of_new || format(head, 'I', format('NEW.%I::text', key))
            || ' ELSIF TG_OP = ''DELETE'' THEN ' || of_old || format(head, 'D', format('OLD.%I::text', key))
            || format(' ELSIF OLD.%1$I = NEW.%1$I THEN ', key)
            || of_both || format(head, 'U', format('NEW.%I::text', key))
            || ' ELSE ' || of_both || format(head, 'D', format('OLD.%I::text', key))
            || format(head, 'I', format('NEW.%I::text', key))
            END
          || ' END IF; RETURN NULL; END');
      END $$;

      -- Has the values of a column written into the log, by which nodes find the lists that a row concerns.
      CREATE FUNCTION livelists.note(rel regclass, col text) RETURNS boolean LANGUAGE plpgsql SET search_path = pg_catalog AS $$
      DECLARE
        known livelists.watched;
      BEGIN
        PERFORM pg_advisory_xact_lock(7811905206633460596);
        SELECT * INTO known FROM livelists.watched w WHERE w.rel = $1 AND livelists.watching($1, w.key) = w.tab;
        IF known.tab IS NULL OR known.key IS NULL THEN RETURN false; END IF;
        IF col = ANY (known.noted) THEN RETURN true; END IF;
        IF cardinality(known.noted) >= 4 THEN RETURN false; END IF;
        PERFORM livelists.make(rel, known.tab, known.key, known.noted || col);
        UPDATE livelists.watched w SET noted = w.noted || col WHERE w.tab = known.tab;
        RETURN true;
      END $$;

      -- Makes the triggers of a table, unless they are there.
      CREATE FUNCTION livelists.watch(rel regclass, key text) RETURNS integer LANGUAGE plpgsql SET search_path = pg_catalog AS $$
      DECLARE
        number integer;
      BEGIN
        PERFORM pg_advisory_xact_lock(7811905206633460596);
        number := livelists.watching(rel, key);
        IF number IS NOT NULL THEN RETURN number; END IF;
        INSERT INTO livelists.watched (rel, key) VALUES (rel, key) RETURNING tab INTO number;
        PERFORM livelists.make(rel, number, key, '{}');
        EXECUTE format('DROP TRIGGER IF EXISTS livelists_rows ON %1$s; DROP TRIGGER IF EXISTS livelists_updates ON %1$s;
          DROP TRIGGER IF EXISTS livelists_whole ON %1$s', rel);
        IF key IS NULL THEN
          EXECUTE format('CREATE TRIGGER livelists_whole AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON %s
            FOR EACH STATEMENT EXECUTE FUNCTION livelists.%I()', rel, 'note_' || rel::oid);
        ELSE
          EXECUTE format('CREATE TRIGGER livelists_rows AFTER INSERT OR DELETE ON %s
            FOR EACH ROW EXECUTE FUNCTION livelists.%I()', rel, 'note_' || rel::oid);
          -- Images are compared, as not every type has an equality.
          EXECUTE format('CREATE TRIGGER livelists_updates AFTER UPDATE ON %s
            FOR EACH ROW WHEN (OLD.* *<> NEW.*) EXECUTE FUNCTION livelists.%I()', rel, 'note_' || rel::oid);
          EXECUTE format('CREATE TRIGGER livelists_whole AFTER TRUNCATE ON %s
            FOR EACH STATEMENT EXECUTE FUNCTION livelists.%I()', rel, 'note_' || rel::oid);
          EXECUTE format('ALTER TABLE %1$s ENABLE ALWAYS TRIGGER livelists_rows, ENABLE ALWAYS TRIGGER livelists_updates', rel);
        END IF;
        -- Also where a replica's changes are applied.
        EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER livelists_whole', rel);
        RETURN number;
      END $$;

      -- Takes the triggers of a table away: before its key column is renamed or dropped, or when no lists are made of it any more.
      CREATE FUNCTION livelists.unwatch(rel regclass) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock(7811905206633460596);
        EXECUTE format('DROP TRIGGER IF EXISTS livelists_rows ON %1$s; DROP TRIGGER IF EXISTS livelists_updates ON %1$s;
          DROP TRIGGER IF EXISTS livelists_whole ON %1$s', rel);
        EXECUTE format('DROP FUNCTION IF EXISTS livelists.%I()', 'note_' || rel::oid);
        DELETE FROM livelists.watched w WHERE w.rel = $1;
      END $$;

      -- Lets a role write to watched tables; a role of a node also read and prune the log.
      CREATE FUNCTION livelists.allow(role regrole, node boolean DEFAULT false) RETURNS void LANGUAGE plpgsql
      SET search_path = pg_catalog AS $$
      BEGIN
        EXECUTE format('GRANT USAGE ON SCHEMA livelists TO %1$s; GRANT INSERT ON livelists.log TO %1$s;
          GRANT USAGE ON SEQUENCE livelists.log_order TO %1$s', role);
        IF node THEN
          EXECUTE format('GRANT SELECT ON ALL TABLES IN SCHEMA livelists TO %1$s; GRANT DELETE ON livelists.log TO %1$s;
            GRANT UPDATE ON livelists.horizon TO %1$s; GRANT INSERT, DELETE ON livelists.boot TO %1$s', role);
        END IF;
      END $$;
      """#
  }
#endif
