ALTER TABLE `messages` ADD `server_labels` text;--> statement-breakpoint
CREATE INDEX `messages_gmail` ON `messages` (`account_id`,`email_id`) WHERE server_labels is not null;