CREATE TABLE `filter_runs` (
	`account_id` integer NOT NULL,
	`source_hash` text NOT NULL,
	`ran_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `source_hash`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `filters` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text,
	`account_id` integer,
	`position` integer NOT NULL,
	`enabled` integer NOT NULL,
	`conditions` text NOT NULL,
	`actions` text NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `filters_position` ON `filters` (`position`);
--> statement-breakpoint
CREATE TRIGGER filters_removed AFTER DELETE ON filters BEGIN
  UPDATE filters SET position = position - 1 WHERE position > old.position;
END;
