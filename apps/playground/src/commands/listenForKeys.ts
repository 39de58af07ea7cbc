import type { Playground } from '../run/Playground.ts'
import type { PlaygroundState } from '../run/PlaygroundState.ts'
import type { Command } from './Command.ts'
import { isLetter, matchesKeys } from './keys.ts'
import { runCommand } from './runCommand.ts'

/**
 * Has keys do what their commands say. Never while somebody types a character, and never under a dialog: there only the keys
 * that opened it close it again.
 */
export function listenForKeys(playground: Playground, commands: readonly Command[]): () => void {
  const press = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing || event.repeat) return
    const page = playground.store.getState()
    const command = commands.find(
      ({ keys, isOffered }) => keys !== undefined && matchesKeys(event, keys) && (isOffered?.(page) ?? true),
    )
    if (!command?.keys || !mayRun(command, event, page)) return
    event.preventDefault()
    void runCommand(playground, command)
  }
  addEventListener('keydown', press)
  return () => removeEventListener('keydown', press)
}

function mayRun({ id, keys = '' }: Command, { target }: KeyboardEvent, page: PlaygroundState): boolean {
  if (document.querySelector('dialog:modal')) return id === 'page.palette' && page.dialog === 'palette'
  return !isLetter(keys) || (page.settings.hasLetterKeys && !isTyping(target))
}

/** A list of options takes letters too: they choose in it. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('textarea, select, input:not([type="checkbox"], [type="radio"])'))
