CREATE TABLE `forwards` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`message_id` integer NOT NULL,
	`source_hash` text NOT NULL,
	`address` text NOT NULL,
	`filter_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `forwards_account` ON `forwards` (`account_id`);--> statement-breakpoint
CREATE TABLE `left_behind` (
	`folder_id` integer NOT NULL,
	`uid` integer NOT NULL,
	PRIMARY KEY(`folder_id`, `uid`),
	FOREIGN KEY (`folder_id`) REFERENCES `folders`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `notices` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`kind` text NOT NULL,
	`text` text NOT NULL,
	`message_id` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `notices_created` ON `notices` (`created_at`);--> statement-breakpoint
ALTER TABLE `folders` ADD `listed` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `mailbox_changes` ADD `started_at` integer;