import { refocus } from '@interleave/react/internal'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { type Command, runCommand } from '../commands/Command.ts'
import { usePage, usePlayground } from '../run/usePlayground.ts'
import { CommandList } from './CommandList.tsx'
import { findCommands, groupFound } from './findCommands.ts'
import { useCommands } from './useCommands.ts'
import './palette.css'

/** Finds everything that the page can do and show by a part of its name. */
export function Palette({ onClose }: { onClose: () => void }) {
  const playground = usePlayground()
  const commands = useCommands()
  const recent = usePage((page) => page.settings.recentCommands)
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const groups = useMemo(() => groupFound(findCommands(commands, query), query, recent), [commands, query, recent])
  const listed = groups.flatMap(({ found }) => found.map(({ command }) => command))
  const active = listed[Math.min(at, listed.length - 1)]
  const list = useId()
  const dialog = useModal()

  const choose = (command: Command): void => {
    // Closes first, since the command may open a dialog or move the focus.
    dialog.current?.close()
    void runCommand(playground, command)
  }
  const press = (event: KeyboardEvent): void => {
    const next = nextPlace(event.key, Math.min(at, listed.length - 1), listed.length)
    if (next !== undefined) setAt(next)
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing && active) choose(active)
    else return
    event.preventDefault()
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it as well.
    <dialog
      ref={dialog}
      className="palette"
      aria-label="Search and commands"
      onClose={onClose}
      onClick={({ target }) => target === dialog.current && dialog.current?.close()}
    >
      <div className="palette-box">
        <div className="palette-field">
          <Search aria-hidden />
          <input
            type="text"
            role="combobox"
            aria-label="What do you want to do?"
            aria-expanded="true"
            aria-controls={list}
            aria-autocomplete="list"
            aria-activedescendant={active && optionId(list, active)}
            placeholder="Search runs, agents, tools and commands"
            autoComplete="off"
            spellCheck={false}
            value={query}
            onChange={({ target }) => {
              setQuery(target.value)
              setAt(0)
            }}
            onKeyDown={press}
          />
          <kbd>Esc</kbd>
        </div>
        <CommandList
          id={list}
          groups={groups}
          active={active}
          optionId={(command) => optionId(list, command)}
          onChoose={choose}
          onPoint={(command) => setAt(listed.indexOf(command))}
        />
        <p className="palette-none" role="status">
          {listed.length === 0 && `Nothing is called “${query.trim()}”. Try fewer letters.`}
        </p>
      </div>
    </dialog>
  )
}

const optionId = (list: string, { id }: Command): string => `${list}-${id.replaceAll(/\s/g, '-')}`

function nextPlace(key: string, at: number, length: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return (at + 1) % Math.max(length, 1)
    case 'ArrowUp':
      return (at - 1 + length) % Math.max(length, 1)
    case 'PageDown':
      return Math.min(at + 8, length - 1)
    case 'PageUp':
      return Math.max(at - 8, 0)
    default:
      return undefined
  }
}

/** Opens when it is mounted. Close it before you remove it: removed while open, it would lose the focus. */
function useModal() {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (dialog.current && !dialog.current.open) dialog.current.showModal()
    return refocus
  }, [])
  return dialog
}
