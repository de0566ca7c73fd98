CREATE VIRTUAL TABLE search_index USING fts5(
  subject, sender, recipients, filenames, body,
  content = '', contentless_delete = 1,
  tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'"
);
--> statement-breakpoint
INSERT INTO search_index (search_index, rank) VALUES ('automerge', 8);
--> statement-breakpoint
CREATE TRIGGER contents_unindexed AFTER DELETE ON contents BEGIN
  DELETE FROM search_index WHERE rowid = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER messages_counted_in AFTER INSERT ON messages BEGIN
  UPDATE folders SET total = total + 1, unread = unread + (new.read = 0) WHERE id = new.folder_id;
END;
--> statement-breakpoint
CREATE TRIGGER messages_counted_out AFTER DELETE ON messages BEGIN
  UPDATE folders SET total = total - 1, unread = unread - (old.read = 0) WHERE id = old.folder_id;
END;
--> statement-breakpoint
CREATE TRIGGER messages_counted_over AFTER UPDATE OF folder_id, read ON messages
WHEN old.folder_id <> new.folder_id OR old.read <> new.read BEGIN
  UPDATE folders SET total = total - 1, unread = unread - (old.read = 0) WHERE id = old.folder_id;
  UPDATE folders SET total = total + 1, unread = unread + (new.read = 0) WHERE id = new.folder_id;
END;
--> statement-breakpoint
CREATE TRIGGER messages_added AFTER INSERT ON messages BEGIN
  DELETE FROM changes WHERE kind = 'message' AND entity_id = new.id;
  INSERT INTO changes (kind, entity_id, deleted) VALUES ('message', new.id, 0);
END;
--> statement-breakpoint
CREATE TRIGGER messages_changed AFTER UPDATE OF folder_id, read, starred, answered, labels, thread_id, draft_id, snoozed_until ON messages BEGIN
  DELETE FROM changes WHERE kind = 'message' AND entity_id = new.id;
  INSERT INTO changes (kind, entity_id, deleted) VALUES ('message', new.id, 0);
END;
--> statement-breakpoint
CREATE TRIGGER messages_removed AFTER DELETE ON messages BEGIN
  DELETE FROM changes WHERE kind = 'message' AND entity_id = old.id;
  INSERT INTO changes (kind, entity_id, deleted) VALUES ('message', old.id, 1);
END;
--> statement-breakpoint
CREATE TRIGGER folders_added AFTER INSERT ON folders BEGIN
  DELETE FROM changes WHERE kind = 'folder' AND entity_id = new.id;
  INSERT INTO changes (kind, entity_id, deleted) VALUES ('folder', new.id, 0);
END;
--> statement-breakpoint
CREATE TRIGGER folders_changed AFTER UPDATE OF path, special_use, selectable, synced, total, unread ON folders BEGIN
  DELETE FROM changes WHERE kind = 'folder' AND entity_id = new.id;
  INSERT INTO changes (kind, entity_id, deleted) VALUES ('folder', new.id, 0);
END;
--> statement-breakpoint
CREATE TRIGGER folders_removed AFTER DELETE ON folders BEGIN
  DELETE FROM changes WHERE kind = 'folder' AND entity_id = old.id;
  INSERT INTO changes (kind, entity_id, deleted) VALUES ('folder', old.id, 1);
END;
--> statement-breakpoint
CREATE TRIGGER drafts_added AFTER INSERT ON drafts BEGIN
  DELETE FROM changes WHERE kind = 'draft' AND entity_id = new.id;
  INSERT INTO changes (kind, entity_id, deleted) VALUES ('draft', new.id, 0);
END;
--> statement-breakpoint
CREATE TRIGGER drafts_changed AFTER UPDATE OF account_id, "to", cc, bcc, subject, body, mode ON drafts BEGIN
  DELETE FROM changes WHERE kind = 'draft' AND entity_id = new.id;
  INSERT INTO changes (kind, entity_id, deleted) VALUES ('draft', new.id, 0);
END;
--> statement-breakpoint
CREATE TRIGGER drafts_removed AFTER DELETE ON drafts BEGIN
  DELETE FROM changes WHERE kind = 'draft' AND entity_id = old.id;
  INSERT INTO changes (kind, entity_id, deleted) VALUES ('draft', old.id, 1);
END;
--> statement-breakpoint
CREATE TRIGGER accounts_added AFTER INSERT ON accounts BEGIN
  DELETE FROM changes WHERE kind = 'account' AND entity_id = new.id;
  INSERT INTO changes (kind, entity_id, deleted) VALUES ('account', new.id, 0);
END;
--> statement-breakpoint
CREATE TRIGGER accounts_changed AFTER UPDATE OF name, email, state, error, last_sync_at, progress_total ON accounts BEGIN
  DELETE FROM changes WHERE kind = 'account' AND entity_id = new.id;
  INSERT INTO changes (kind, entity_id, deleted) VALUES ('account', new.id, 0);
END;
--> statement-breakpoint
CREATE TRIGGER accounts_removed AFTER DELETE ON accounts BEGIN
  DELETE FROM changes WHERE kind = 'account' AND entity_id = old.id;
  INSERT INTO changes (kind, entity_id, deleted) VALUES ('account', old.id, 1);
END;
