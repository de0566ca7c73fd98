/** Seals secrets for the database (AES-256-GCM); the key stays outside it. */
export interface SecretBox {
  seal(plaintext: string): Promise<string>
  /** Throws when the text was sealed with another key or was altered. */
  open(sealed: string): Promise<string>
}
