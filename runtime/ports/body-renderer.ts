/** What a message says, in the forms that it travels in. */
export interface Bodies {
  readonly text: string
  readonly html?: string
}

/** Makes the bodies of a message of what somebody wrote in HTML or Markdown, which may be made to keep a renderer busy. */
export interface BodyRenderer {
  /**
   * HTML as it is with a text that says the same, Markdown as safe HTML with its text. Undefined for what takes too much
   * time or room. On Node the process goes on meanwhile.
   */
  render(mode: 'html' | 'markdown', written: string): Promise<Bodies | undefined>
}
