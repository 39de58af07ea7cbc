import { Dialog } from '../parts/Dialog.tsx'
import { usePage, usePlayground } from '../run/usePlayground.ts'
import { type Command, commandGroups } from './Command.ts'
import { KeyCaps } from './KeyCaps.tsx'
import { isLetter } from './keys.ts'
import { commands } from './listenForKeys.ts'
import './shortcuts.css'

/** The keyboard shortcuts, and the switch for those that are a single letter. */
export function ShortcutsDialog() {
  const { openDialog, choose } = usePlayground()
  const isOpen = usePage((page) => page.dialog === 'shortcuts')
  const hasLetterKeys = usePage((page) => page.settings.hasLetterKeys)
  return (
    <Dialog title="Keyboard shortcuts" isOpen={isOpen} isWide onClose={() => openDialog(undefined)}>
      <label className="switch">
        <input
          type="checkbox"
          checked={hasLetterKeys}
          onChange={({ target }) => choose({ hasLetterKeys: target.checked })}
        />
        <span>
          Single-key shortcuts
          <small>Turn them off if you speak to the page, or press keys by accident.</small>
        </span>
      </label>
      <div className="shortcuts" data-letters={hasLetterKeys}>
        {groups.map(({ title, keyed }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {keyed.map(({ title: does, keys }) => (
                <Shortcut key={does} does={does} keys={keys} isOff={!hasLetterKeys && isLetter(keys)} />
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}

const Shortcut = ({ does, keys, isOff }: { does: string; keys: string; isOff: boolean }) => (
  <div data-off={isOff}>
    <dt>
      {does} {isOff && <small>(off)</small>}
    </dt>
    <dd>
      <KeyCaps keys={keys} />
    </dd>
  </div>
)

type Keyed = Pick<Command, 'title'> & { readonly keys: string }

const keyedIn = (group: string): readonly Keyed[] =>
  commands.flatMap(({ group: own, title, keys }) => (own === group && keys ? [{ title, keys }] : []))

/** The keys of other parts of the page, while these have the focus. */
const elsewhere: readonly Keyed[] = [
  { title: 'Send the message', keys: 'Enter' },
  { title: 'Choose an answer by its number', keys: '1–9' },
  { title: 'Postpone a question, close a dialog', keys: 'Esc' },
  { title: 'Walk through runs, tabs and lists', keys: '↑ ↓' },
  { title: 'Rename the run in the list', keys: 'F2' },
  { title: 'Delete the run in the list', keys: 'Delete' },
]

const groups = [
  ...commandGroups.map((title) => ({ title, keyed: keyedIn(title) })),
  { title: 'Where the focus is', keyed: elsewhere },
].filter(({ keyed }) => keyed.length > 0)
