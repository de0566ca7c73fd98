CREATE TABLE `oauth_grants` (
	`account_id` integer PRIMARY KEY NOT NULL,
	`provider` text NOT NULL,
	`client_id` text NOT NULL,
	`sealed_client_secret` text,
	`token_url` text NOT NULL,
	`sealed_refresh_token` text NOT NULL,
	`sealed_access_token` text NOT NULL,
	`access_token_expires_at` integer NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`refresh_claimed_until` integer,
	`refresh_failure` text,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
