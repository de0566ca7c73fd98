/** Between what the words lie that begin like this. */
export const wordRange = (beginning: string) => ({
  from: beginning,
  // The last of all characters.
  below: `${beginning}\u{10ffff}`,
})
