/** An address of the web in a text. */
const WEB_ADDRESS = /\b(?:https?:\/\/|www\.)[^\s<>]/i
/** It never reads across another tag, so hostile HTML costs no more than its length. */
const HTML_LINK = /<a\s[^<>]*?\bhref\s*=/i

/** Whether a text names an address of the web. */
export const namesLink = (text: string): boolean => WEB_ADDRESS.test(text)

/** Whether anything in HTML links elsewhere. */
export const linksInHtml = (html: string): boolean => HTML_LINK.test(html)
