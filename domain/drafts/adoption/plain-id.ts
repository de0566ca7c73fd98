/** Whether an id of somebody else's can stand in our header fields and be searched for: printable ASCII, and not long. */
export const isPlainId = (id: string): boolean => /^[!-;=?-~]{1,250}$/.test(id)
