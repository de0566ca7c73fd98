CREATE TABLE `correspondent_words` (
	`word` text NOT NULL,
	`correspondent_id` integer NOT NULL,
	PRIMARY KEY(`word`, `correspondent_id`),
	FOREIGN KEY (`correspondent_id`) REFERENCES `correspondents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `correspondent_words_correspondent` ON `correspondent_words` (`correspondent_id`,`word`);--> statement-breakpoint
CREATE TABLE `correspondents` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`key` text NOT NULL,
	`address` text NOT NULL,
	`name` text,
	`named_at` integer,
	`sender_score` real NOT NULL,
	`recipient_score` real NOT NULL,
	`sender_content_id` integer,
	`recipient_content_id` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `correspondents_key_unique` ON `correspondents` (`key`);--> statement-breakpoint
CREATE INDEX `correspondents_senders` ON `correspondents` (`sender_score`);--> statement-breakpoint
CREATE INDEX `correspondents_recipients` ON `correspondents` (`recipient_score`);--> statement-breakpoint
CREATE TABLE `unnoted_contents` (
	`content_id` integer PRIMARY KEY NOT NULL,
	FOREIGN KEY (`content_id`) REFERENCES `contents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TRIGGER contents_unnoted AFTER INSERT ON contents BEGIN
  INSERT INTO unnoted_contents (content_id) VALUES (new.id);
END;
--> statement-breakpoint
INSERT INTO unnoted_contents (content_id) SELECT id FROM contents;
