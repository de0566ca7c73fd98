CREATE TABLE `search_rebuild` (
	`id` integer PRIMARY KEY NOT NULL,
	`below_content_id` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `contents` ADD `has_link` integer;--> statement-breakpoint
CREATE INDEX `messages_odd_date` ON `messages` (`content_id`) WHERE content_id / 65536 <> date / 1000;--> statement-breakpoint
CREATE INDEX `messages_labeled` ON `messages` (`labels`,`content_id`) WHERE labels <> '[]';--> statement-breakpoint
DROP TABLE search_index;
--> statement-breakpoint
CREATE VIRTUAL TABLE search_index USING fts5(
  subject, sender, recipients, cc, bcc, filenames, body, traits,
  content = '', contentless_delete = 1,
  tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'"
);
--> statement-breakpoint
INSERT INTO search_index (search_index, rank) VALUES ('automerge', 8);
--> statement-breakpoint
INSERT INTO search_rebuild (id, below_content_id) SELECT 1, max(id) + 1 FROM contents HAVING count(*) > 0;
