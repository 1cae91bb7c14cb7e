#if PostgreSQL
  extension Setup {
    /// The tables of the schema.
    static let tables = """
      CREATE SCHEMA livelists;
      CREATE TABLE livelists.version (number bigint PRIMARY KEY, installed timestamptz NOT NULL DEFAULT now());

      -- Which rows were touched, by which transaction. A key of NULL stands for the whole table. Unlogged, as what it loses it loses
      -- together with the epoch in `boot`: whoever finds another epoch reads everything anew. Nothing numbers the rows: what several changes of a
      -- row are together does not depend on their order (`RowChange`), and a sequence would cost a third of a trigger.
      CREATE UNLOGGED TABLE livelists.log (
        xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
        at timestamptz NOT NULL DEFAULT clock_timestamp(),
        -- The columns that an update surely left as they were, a bit for each by its number in `pg_attribute`; NULL where it is not known.
        same bigint,
        tab integer NOT NULL,
        op "char" NOT NULL,
        key text,
        -- Of each noted column its name, its value before, and its value after.
        routes text[],
        origin text,
        node text
      ) WITH (autovacuum_vacuum_scale_factor = 0.01);
      CREATE INDEX log_xid ON livelists.log (xid);

      -- Each making of a table's triggers has a number of its own, by which its rows in the log are known.
      CREATE TABLE livelists.watched (
        tab integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, rel oid NOT NULL, key text,
        -- The columns whose values are written into the log.
        noted text[] NOT NULL DEFAULT '{}',
        -- The columns that the trigger compares, as they were when its function was made.
        compared text NOT NULL DEFAULT ''
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
      -- another id than before cannot go on from where it was. A dump brings the row along: it counts only while the transaction that
      -- made it is the one that it names.
      CREATE UNLOGGED TABLE livelists.boot (
        one boolean PRIMARY KEY DEFAULT true CHECK (one),
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        system bigint NOT NULL,
        database oid NOT NULL,
        made xid8 NOT NULL DEFAULT pg_current_xact_id()
      );
      """
  }
#endif
