/** What makes two account names the same: everything but case and the way accents are encoded. */
export const nameKey = (name: string) => name.trim().normalize('NFC').toLowerCase()
