import { useEffect } from 'react'
import type { Playground } from '../run/Playground.ts'
import type { PlaygroundState } from '../run/PlaygroundState.ts'
import { usePlayground } from '../run/usePlayground.ts'
import { type Command, runCommand } from './Command.ts'
import { isLetter, matchesKeys } from './keys.ts'
import { pageCommands } from './pageCommands.ts'
import { runCommands } from './runCommands.ts'

/** Every command that is always there. The palette adds those of agents, tools and runs. */
export const commands: readonly Command[] = [...runCommands, ...pageCommands]

/** Runs commands by their keys, but not while a user types, and below a dialog only those that opened it. */
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

/** A list of options takes letters too: they choose in it. A slider, such as that of time travel, takes none. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches('textarea, select, input:not([type="checkbox"], [type="radio"], [type="range"])'))

/** Listens for the keys of commands while the page is shown. */
export function useShortcuts(): void {
  const playground = usePlayground()
  useEffect(() => listenForKeys(playground, commands), [playground])
}
