ALTER TABLE `accounts` ADD `transcribed` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `accounts` ADD `removing_since` integer;--> statement-breakpoint
ALTER TABLE `contents` ADD `source_kept` integer DEFAULT true NOT NULL;--> statement-breakpoint
CREATE INDEX `contents_source_kept` ON `contents` (`source_kept`);