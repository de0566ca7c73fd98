ALTER TABLE `drafts` ADD `from` text;--> statement-breakpoint
ALTER TABLE `drafts` ADD `reply_to` text DEFAULT '[]' NOT NULL;