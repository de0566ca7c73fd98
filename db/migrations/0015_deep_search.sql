CREATE TABLE `search_hits` (
	`job_seq` integer NOT NULL,
	`message_id` integer NOT NULL,
	PRIMARY KEY(`job_seq`, `message_id`),
	FOREIGN KEY (`job_seq`) REFERENCES `search_jobs`(`seq`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`message_id`) REFERENCES `messages`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `search_hits_message` ON `search_hits` (`message_id`);--> statement-breakpoint
CREATE TABLE `search_jobs` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`status` text NOT NULL,
	`query` text NOT NULL,
	`limit` integer NOT NULL,
	`account_id` integer,
	`folder_id` integer,
	`warnings` text NOT NULL,
	`results` integer,
	`started_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `search_jobs_id_unique` ON `search_jobs` (`id`);--> statement-breakpoint
CREATE INDEX `search_jobs_running` ON `search_jobs` (`seq`) WHERE status = 'running';--> statement-breakpoint
CREATE TABLE `search_parts` (
	`job_seq` integer NOT NULL,
	`account_id` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`folders_total` integer,
	`folders_done` text NOT NULL,
	`shown_in` text NOT NULL,
	`warnings` text NOT NULL,
	`ended_at` integer,
	PRIMARY KEY(`job_seq`, `account_id`),
	FOREIGN KEY (`job_seq`) REFERENCES `search_jobs`(`seq`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `search_parts_open` ON `search_parts` (`account_id`) WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX `search_parts_account` ON `search_parts` (`account_id`);