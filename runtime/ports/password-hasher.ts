/** Slow, salted hashing of secrets: argon2id, 19 MiB, 2 passes, in PHC string format. */
export interface PasswordHasher {
  hash(secret: string): Promise<string>
  /** Whether `secret` is the one that was hashed. False for a string that is no PHC hash. */
  verify(secret: string, phc: string): Promise<boolean>
}
