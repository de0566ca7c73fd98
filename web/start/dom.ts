/** The element of the page with this id. Throws when the page has none. */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id)
  if (!element) throw new Error(`The page has no element ${id}.`)
  return element
}

/** The element within `scope` that a selector names. Throws when there is none. */
export function within(scope: ParentNode, selector: string): HTMLElement {
  const element = scope.querySelector<HTMLElement>(selector)
  if (!element) throw new Error(`The page has no element ${selector} here.`)
  return element
}

/** Writes text, never markup, and only where it changes: a selection by the reader lasts. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text
}

/** Says something to those who listen to the page rather than look at it. */
export const announce = (text: string): void => setText(byId('announcer'), text)

/** How items become rows: each row is made from a template of the page. */
export interface RowKind<Item> {
  readonly template: string
  keyOf(item: Item): string
  fill(field: (name: string) => HTMLElement, item: Item, row: HTMLElement): void
}

/** Makes the rows in `container` those of `items`, in their order. Returns the items that had no row before. */
export function syncRows<Item>(
  container: HTMLElement,
  items: readonly Item[],
  kind: RowKind<Item>,
): Item[] {
  const before = new Map<string | undefined, HTMLElement>()
  for (const row of container.querySelectorAll<HTMLElement>(':scope > *'))
    before.set(row.dataset['key'], row)

  const added: Item[] = []
  for (const [index, item] of items.entries()) {
    const key = kind.keyOf(item)
    const known = before.get(key)
    const row = known ?? fromTemplate(kind.template)
    if (!known) added.push(item)
    before.delete(key)
    row.dataset['key'] = key
    kind.fill((name) => within(row, `[data-field="${name}"]`), item, row)
    const there = container.children[index]
    if (there !== row) container.insertBefore(row, there ?? null)
  }
  for (const row of before.values()) row.remove()
  return added
}

function fromTemplate(id: string): HTMLElement {
  const template = byId(id)
  const row = template instanceof HTMLTemplateElement ? template.content.firstElementChild : null
  if (!(row instanceof HTMLElement)) throw new Error(`The template ${id} is empty.`)
  return document.importNode(row, true)
}
