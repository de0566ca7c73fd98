import { announce, within } from './dom.ts'

const SHOWN_MS = 2_000

/** Gives each command a button that copies it, where the browser has a clipboard: not on plain HTTP from afar. */
export function offerCopies(): void {
  if (!('clipboard' in navigator)) return
  for (const command of document.querySelectorAll<HTMLElement>('.command')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'quiet copy'
    button.textContent = 'Copy'
    button.addEventListener('click', () => void copy(within(command, 'code'), button))
    command.append(button)
  }
}

async function copy(code: HTMLElement, button: HTMLButtonElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(code.textContent ?? '')
    button.textContent = 'Copied'
  } catch {
    // The browser did not allow it: the command is selected instead, ready for the keyboard.
    getSelection()?.selectAllChildren(code)
    button.textContent = 'Selected'
  }
  announce(button.textContent)
  setTimeout(() => (button.textContent = 'Copy'), SHOWN_MS)
}
