CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations VALUES('1: photos by capture date');
INSERT INTO grdb_migrations VALUES('2: an order of one''s own');
INSERT INTO grdb_migrations VALUES('3: colours, acts, discarded files');
INSERT INTO grdb_migrations VALUES('4: trash, albums in order, search');
INSERT INTO grdb_migrations VALUES('5: acts of any size');
CREATE TABLE album (
  id BLOB PRIMARY KEY NOT NULL,
  title TEXT NOT NULL,
  createdDate INTEGER NOT NULL
, rank BLOB NOT NULL DEFAULT x'', photoCount INTEGER NOT NULL DEFAULT 0, cover TEXT, deletedDate INTEGER);
INSERT INTO album VALUES(X'7655a74bf9a846fa8f300cc0e154d420','Before the attack',1795353368100770,X'8000',3,'bf38d21ac84e3410c46bf58dd36f8e778cdabe30afa206be2d3c660ba76f841e',NULL);
CREATE TABLE photo (
  id BLOB PRIMARY KEY NOT NULL,
  albumID BLOB NOT NULL REFERENCES album(id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  fileName TEXT NOT NULL,
  captureDate INTEGER,
  importedDate INTEGER NOT NULL,
  contentHash TEXT NOT NULL,
  width INTEGER NOT NULL,
  height INTEGER NOT NULL,
  byteCount INTEGER NOT NULL,
  format TEXT NOT NULL
, rank BLOB NOT NULL DEFAULT x'', color INTEGER, trashedDate INTEGER, dateText TEXT NOT NULL DEFAULT '', checksum INTEGER);
INSERT INTO photo VALUES(X'db290b50426a421bbe35f0deecd29f08',X'7655a74bf9a846fa8f300cc0e154d420','CON','CON.jpg',NULL,1795353368395722,'b3e0b73764e9d3e238fb427fc41c9fd1635dab6c78ee6e3cdb94081f956119b7',16,12,650,'jpeg',X'8000',3955340,NULL,'',1688259697);
INSERT INTO photo VALUES(X'514b8a00a79f402e998a5fb54c18dc38',X'7655a74bf9a846fa8f300cc0e154d420','two words ','two words .jpg',NULL,1795353368400890,'ddb667df3ee05279c1b42d2e1dc3b6db83361dd8730a0cee97c457397eed5c44',16,12,651,'jpeg',X'8001',1334215,NULL,'',456400565);
INSERT INTO photo VALUES(X'b039beae32cf4926be4270a278b80f0e',X'7655a74bf9a846fa8f300cc0e154d420','-rf','-rf.jpg',NULL,1795353368423014,'bf38d21ac84e3410c46bf58dd36f8e778cdabe30afa206be2d3c660ba76f841e',16,12,651,'jpeg',X'7fff',6576720,NULL,'',771607729);
CREATE TABLE act (
  id BLOB PRIMARY KEY NOT NULL,
  date INTEGER NOT NULL
, albumID BLOB, firstPlace INTEGER, photoCount INTEGER NOT NULL DEFAULT 0, changed INTEGER NOT NULL DEFAULT 0);
CREATE TABLE discarded (
  contentHash TEXT PRIMARY KEY NOT NULL
);
CREATE TABLE act_photo (
  place INTEGER PRIMARY KEY NOT NULL,
  photoID BLOB NOT NULL,
  albumID BLOB NOT NULL,
  rank BLOB NOT NULL,
  trashedDate INTEGER
);
CREATE INDEX photo_hash ON photo(contentHash);
CREATE INDEX photo_captureDate ON photo(albumID, captureDate, importedDate, id);
CREATE INDEX photo_rank ON photo(albumID, rank, id);
CREATE INDEX act_date ON act(date);
CREATE UNIQUE INDEX photo_content ON photo(albumID, contentHash) WHERE trashedDate IS NULL;
CREATE INDEX photo_shown ON photo(albumID, rank, id) WHERE trashedDate IS NULL;
CREATE INDEX photo_trashed ON photo(trashedDate) WHERE trashedDate IS NOT NULL;
CREATE INDEX act_album ON act(albumID, date);
CREATE TRIGGER photo_inserted AFTER INSERT ON photo WHEN new.trashedDate IS NULL BEGIN
  UPDATE album SET photoCount = photoCount + 1, cover = (SELECT contentHash FROM photo WHERE albumID = album.id AND trashedDate IS NULL ORDER BY rank, id LIMIT 1) WHERE id = new.albumID;
END;
CREATE TRIGGER photo_deleted AFTER DELETE ON photo WHEN old.trashedDate IS NULL BEGIN
  UPDATE album SET photoCount = photoCount - 1, cover = (SELECT contentHash FROM photo WHERE albumID = album.id AND trashedDate IS NULL ORDER BY rank, id LIMIT 1) WHERE id = old.albumID;
END;
CREATE TRIGGER photo_left AFTER UPDATE OF albumID, trashedDate ON photo
WHEN old.trashedDate IS NULL AND (new.trashedDate IS NOT NULL OR new.albumID <> old.albumID) BEGIN
  UPDATE album SET photoCount = photoCount - 1, cover = (SELECT contentHash FROM photo WHERE albumID = album.id AND trashedDate IS NULL ORDER BY rank, id LIMIT 1) WHERE id = old.albumID;
END;
CREATE TRIGGER photo_came AFTER UPDATE OF albumID, trashedDate ON photo
WHEN new.trashedDate IS NULL AND (old.trashedDate IS NOT NULL OR new.albumID <> old.albumID) BEGIN
  UPDATE album SET photoCount = photoCount + 1, cover = (SELECT contentHash FROM photo WHERE albumID = album.id AND trashedDate IS NULL ORDER BY rank, id LIMIT 1) WHERE id = new.albumID;
END;
CREATE TRIGGER photo_moved AFTER UPDATE OF rank ON photo
WHEN new.trashedDate IS NULL AND old.trashedDate IS NULL AND new.albumID = old.albumID BEGIN
  UPDATE album SET cover = (SELECT contentHash FROM photo WHERE albumID = album.id AND trashedDate IS NULL ORDER BY rank, id LIMIT 1) WHERE id = new.albumID AND cover IS NOT (SELECT contentHash FROM photo WHERE albumID = album.id AND trashedDate IS NULL ORDER BY rank, id LIMIT 1);
END;
