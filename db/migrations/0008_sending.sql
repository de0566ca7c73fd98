CREATE TABLE `attachment_chunks` (
	`data_id` text NOT NULL,
	`position` integer NOT NULL,
	`bytes` blob NOT NULL,
	PRIMARY KEY(`data_id`, `position`),
	FOREIGN KEY (`data_id`) REFERENCES `attachment_data`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `attachment_data` (
	`id` text PRIMARY KEY NOT NULL,
	`size` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `attachment_data_created` ON `attachment_data` (`created_at`);--> statement-breakpoint
CREATE TABLE `outgoing_attachments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`draft_id` integer,
	`outbox_id` integer,
	`position` integer NOT NULL,
	`filename` text NOT NULL,
	`content_type` text NOT NULL,
	`size` integer NOT NULL,
	`data_id` text NOT NULL,
	FOREIGN KEY (`draft_id`) REFERENCES `drafts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`outbox_id`) REFERENCES `outbox`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`data_id`) REFERENCES `attachment_data`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `outgoing_attachments_draft` ON `outgoing_attachments` (`draft_id`);--> statement-breakpoint
CREATE INDEX `outgoing_attachments_outbox` ON `outgoing_attachments` (`outbox_id`);--> statement-breakpoint
CREATE INDEX `outgoing_attachments_data` ON `outgoing_attachments` (`data_id`);--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`token_id` integer NOT NULL,
	`route` text NOT NULL,
	`key` text NOT NULL,
	`kind` text NOT NULL,
	`entity_id` integer NOT NULL,
	`answer_status` integer,
	`answer_body` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`token_id`, `route`, `key`),
	FOREIGN KEY (`token_id`) REFERENCES `tokens`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `idempotency_keys_created` ON `idempotency_keys` (`created_at`);--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`status` text NOT NULL,
	`is_immediate` integer NOT NULL,
	`send_at` integer NOT NULL,
	`message` text NOT NULL,
	`message_id_header` text NOT NULL,
	`date` integer NOT NULL,
	`in_reply_to` integer,
	`draft_id` integer,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`claimed_by` text,
	`claimed_until` integer,
	`failure` text,
	`error` text,
	`smtp_code` integer,
	`refused` text,
	`settled_at` integer,
	`copy` text DEFAULT 'none' NOT NULL,
	`copy_attempts` integer DEFAULT 0 NOT NULL,
	`next_copy_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`draft_id`) REFERENCES `drafts`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `outbox_messageIdHeader_unique` ON `outbox` (`message_id_header`);--> statement-breakpoint
CREATE INDEX `outbox_due` ON `outbox` (`next_attempt_at`) WHERE status in ('scheduled', 'sending');--> statement-breakpoint
CREATE INDEX `outbox_copies` ON `outbox` (`account_id`,`next_copy_at`) WHERE copy = 'wanted';--> statement-breakpoint
CREATE INDEX `outbox_account` ON `outbox` (`account_id`);--> statement-breakpoint
CREATE INDEX `outbox_draft` ON `outbox` (`draft_id`);--> statement-breakpoint
CREATE INDEX `outbox_order` ON `outbox` (`send_at`,`id`);--> statement-breakpoint
ALTER TABLE `accounts` ADD `sent_copy` text DEFAULT 'auto' NOT NULL;--> statement-breakpoint
CREATE TRIGGER outbox_added AFTER INSERT ON outbox BEGIN
  DELETE FROM changes WHERE kind = 'outbox' AND entity_id = new.id;
  INSERT INTO changes (kind, entity_id, deleted) VALUES ('outbox', new.id, 0);
END;
--> statement-breakpoint
CREATE TRIGGER outbox_changed AFTER UPDATE OF status, send_at, error ON outbox BEGIN
  DELETE FROM changes WHERE kind = 'outbox' AND entity_id = new.id;
  INSERT INTO changes (kind, entity_id, deleted) VALUES ('outbox', new.id, 0);
END;
--> statement-breakpoint
CREATE TRIGGER outbox_removed AFTER DELETE ON outbox BEGIN
  DELETE FROM changes WHERE kind = 'outbox' AND entity_id = old.id;
  INSERT INTO changes (kind, entity_id, deleted) VALUES ('outbox', old.id, 1);
END;
