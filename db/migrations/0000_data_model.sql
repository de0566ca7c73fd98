CREATE TABLE `accounts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`email` text NOT NULL,
	`imap_host` text NOT NULL,
	`imap_port` integer NOT NULL,
	`imap_tls` text NOT NULL,
	`imap_user` text NOT NULL,
	`smtp_host` text NOT NULL,
	`smtp_port` integer NOT NULL,
	`smtp_tls` text NOT NULL,
	`smtp_user` text NOT NULL,
	`sealed_password` text NOT NULL,
	`sealed_smtp_password` text,
	`settings_revision` integer DEFAULT 1 NOT NULL,
	`source_days` integer,
	`state` text DEFAULT 'syncing' NOT NULL,
	`error` text,
	`last_sync_at` integer,
	`progress_total` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_nameKey_unique` ON `accounts` (`name_key`);--> statement-breakpoint
CREATE TABLE `changes` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`entity_id` integer NOT NULL,
	`deleted` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `changes_entity` ON `changes` (`kind`,`entity_id`);--> statement-breakpoint
CREATE TABLE `content_bodies` (
	`content_id` integer PRIMARY KEY NOT NULL,
	`text` text,
	`has_html` integer NOT NULL,
	`headers_raw` blob NOT NULL,
	FOREIGN KEY (`content_id`) REFERENCES `contents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `contents` (
	`id` integer PRIMARY KEY NOT NULL,
	`source_hash` text NOT NULL,
	`size` integer NOT NULL,
	`has_attachments` integer NOT NULL,
	`message_id_header` text,
	`in_reply_to_header` text,
	`references` text NOT NULL,
	`from` text NOT NULL,
	`to` text NOT NULL,
	`cc` text NOT NULL,
	`bcc` text NOT NULL,
	`reply_to` text NOT NULL,
	`subject` text NOT NULL,
	`subject_folded` text NOT NULL,
	`from_folded` text NOT NULL,
	`to_folded` text NOT NULL,
	`snippet` text NOT NULL,
	`attachments` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `contents_sourceHash_unique` ON `contents` (`source_hash`);--> statement-breakpoint
CREATE INDEX `contents_message_id_header` ON `contents` (`message_id_header`);--> statement-breakpoint
CREATE TABLE `drafts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer,
	`kind` text NOT NULL,
	`to` text NOT NULL,
	`cc` text NOT NULL,
	`bcc` text NOT NULL,
	`subject` text NOT NULL,
	`body` text NOT NULL,
	`mode` text NOT NULL,
	`in_reply_to` integer,
	`message_id_header` text NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`published_revision` integer,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `drafts_messageIdHeader_unique` ON `drafts` (`message_id_header`);--> statement-breakpoint
CREATE TABLE `folders` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`path` text NOT NULL,
	`delimiter` text,
	`special_use` text,
	`selectable` integer DEFAULT true NOT NULL,
	`synced` integer DEFAULT false NOT NULL,
	`mailbox_id` text,
	`uid_validity` text,
	`uid_next` integer,
	`highest_modseq` text,
	`synced_down_to_uid` integer,
	`first_synced_at` integer,
	`total` integer DEFAULT 0 NOT NULL,
	`unread` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `folders_account_path` ON `folders` (`account_id`,`path`);--> statement-breakpoint
CREATE INDEX `folders_special_use` ON `folders` (`account_id`,`special_use`);--> statement-breakpoint
CREATE TABLE `mailbox_changes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`message_id` integer,
	`kind` text NOT NULL,
	`change` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`last_error` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `mailbox_changes_due` ON `mailbox_changes` (`account_id`,`next_attempt_at`,`id`);--> statement-breakpoint
CREATE INDEX `mailbox_changes_message` ON `mailbox_changes` (`message_id`,`id`);--> statement-breakpoint
CREATE TABLE `messages` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`content_id` integer NOT NULL,
	`thread_id` integer NOT NULL,
	`date` integer NOT NULL,
	`internal_date` integer NOT NULL,
	`server_folder_id` integer,
	`uid` integer,
	`uid_validity` text,
	`server_flags` text NOT NULL,
	`modseq` text,
	`email_id` text,
	`folder_id` integer NOT NULL,
	`in_inbox` integer NOT NULL,
	`read` integer NOT NULL,
	`starred` integer NOT NULL,
	`answered` integer NOT NULL,
	`labels` text NOT NULL,
	`draft_id` integer,
	`snoozed_until` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`content_id`) REFERENCES `contents`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`thread_id`) REFERENCES `threads`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`server_folder_id`) REFERENCES `folders`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`folder_id`) REFERENCES `folders`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`draft_id`) REFERENCES `drafts`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `messages_server_uid` ON `messages` (`server_folder_id`,`uid`);--> statement-breakpoint
CREATE INDEX `messages_folder` ON `messages` (`folder_id`,`date`,`id`);--> statement-breakpoint
CREATE INDEX `messages_folder_unread` ON `messages` (`folder_id`,`date`,`id`) WHERE read = 0;--> statement-breakpoint
CREATE INDEX `messages_folder_starred` ON `messages` (`folder_id`,`date`,`id`) WHERE starred = 1;--> statement-breakpoint
CREATE INDEX `messages_inbox` ON `messages` (`date`,`id`) WHERE in_inbox = 1;--> statement-breakpoint
CREATE INDEX `messages_inbox_unread` ON `messages` (`date`,`id`) WHERE in_inbox = 1 and read = 0;--> statement-breakpoint
CREATE INDEX `messages_inbox_starred` ON `messages` (`date`,`id`) WHERE in_inbox = 1 and starred = 1;--> statement-breakpoint
CREATE INDEX `messages_thread` ON `messages` (`thread_id`,`date`,`id`);--> statement-breakpoint
CREATE INDEX `messages_content` ON `messages` (`content_id`);--> statement-breakpoint
CREATE INDEX `messages_account` ON `messages` (`account_id`);--> statement-breakpoint
CREATE INDEX `messages_draft` ON `messages` (`draft_id`) WHERE draft_id is not null;--> statement-breakpoint
CREATE TABLE `account_leases` (
	`account_id` integer PRIMARY KEY NOT NULL,
	`sidecar_id` text NOT NULL,
	`epoch` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`synced_once` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `account_leases_sidecar` ON `account_leases` (`sidecar_id`);--> statement-breakpoint
CREATE TABLE `sidecars` (
	`id` text PRIMARY KEY NOT NULL,
	`url` text NOT NULL,
	`heartbeat_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `thread_keys` (
	`account_id` integer NOT NULL,
	`message_id_header` text NOT NULL,
	`thread_id` integer NOT NULL,
	PRIMARY KEY(`account_id`, `message_id_header`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`thread_id`) REFERENCES `threads`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `thread_keys_thread` ON `thread_keys` (`thread_id`);--> statement-breakpoint
CREATE TABLE `threads` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`joined_to` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `threads_account` ON `threads` (`account_id`);--> statement-breakpoint
CREATE INDEX `threads_joined_to` ON `threads` (`joined_to`);--> statement-breakpoint
CREATE TABLE `tokens` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`selector` text NOT NULL,
	`secret_hash` text NOT NULL,
	`label` text NOT NULL,
	`scopes` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`revoked_at` integer,
	`last_used_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tokens_selector_unique` ON `tokens` (`selector`);