ALTER TABLE `drafts` ADD `in_reply_to_header` text;--> statement-breakpoint
ALTER TABLE `drafts` ADD `references` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `drafts` ADD `appending_revision` integer;--> statement-breakpoint
ALTER TABLE `drafts` ADD `publish_due_at` integer;--> statement-breakpoint
ALTER TABLE `drafts` ADD `unpublished_since` integer;--> statement-breakpoint
ALTER TABLE `drafts` ADD `publish_attempts` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `drafts` ADD `publish_error` text;--> statement-breakpoint
ALTER TABLE `drafts` ADD `copy_missed_at` integer;--> statement-breakpoint
ALTER TABLE `drafts` ADD `removed_at` integer;--> statement-breakpoint
CREATE INDEX `drafts_order` ON `drafts` (`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `drafts_account` ON `drafts` (`account_id`);--> statement-breakpoint
CREATE INDEX `drafts_due` ON `drafts` (`account_id`,`publish_due_at`) WHERE publish_due_at is not null;--> statement-breakpoint
DROP TRIGGER drafts_added;
--> statement-breakpoint
CREATE TRIGGER drafts_added AFTER INSERT ON drafts WHEN new.removed_at is null BEGIN
  DELETE FROM changes WHERE kind = 'draft' AND entity_id = new.id;
  INSERT INTO changes (kind, entity_id, deleted) VALUES ('draft', new.id, 0);
END;
--> statement-breakpoint
DROP TRIGGER drafts_changed;
--> statement-breakpoint
CREATE TRIGGER drafts_changed AFTER UPDATE OF account_id, revision, removed_at ON drafts BEGIN
  DELETE FROM changes WHERE kind = 'draft' AND entity_id = new.id;
  INSERT INTO changes (kind, entity_id, deleted) VALUES ('draft', new.id, new.removed_at is not null);
END;
--> statement-breakpoint
DROP TRIGGER drafts_removed;
--> statement-breakpoint
CREATE TRIGGER drafts_removed AFTER DELETE ON drafts WHEN old.removed_at is null BEGIN
  DELETE FROM changes WHERE kind = 'draft' AND entity_id = old.id;
  INSERT INTO changes (kind, entity_id, deleted) VALUES ('draft', old.id, 1);
END;
