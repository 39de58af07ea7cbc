import {
  ArrowRight,
  Bot,
  Columns2,
  Command as CommandSign,
  Download,
  FlaskConical,
  GitFork,
  History,
  type LucideIcon,
  MessageCircleQuestion,
  MessageSquare,
  Pencil,
  Play,
  Plus,
  Square,
  Undo2,
  Wrench,
} from 'lucide-react'
import { useEffect } from 'react'
import type { Command, CommandGroup } from '../commands/Command.ts'
import { KeyCaps } from '../commands/KeyCaps.tsx'
import type { Found, FoundGroup } from './findCommands.ts'

export interface CommandListProps {
  readonly id: string
  readonly groups: readonly FoundGroup[]
  /** The command that Enter runs. The focus stays in the field. */
  readonly active: Command | undefined
  readonly optionId: (command: Command) => string
  readonly onChoose: (command: Command) => void
  readonly onPoint: (command: Command) => void
}

/** The options of the palette, by what they are about. */
export function CommandList({ id, groups, active, optionId, onChoose, onPoint }: CommandListProps) {
  const activeId = active && optionId(active)
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])
  return (
    <div id={id} role="listbox" aria-label="Commands" className="palette-list">
      {groups.map(({ title, found }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox.
        <div key={title} role="group" aria-label={title}>
          <p aria-hidden className="palette-group">
            {title}
          </p>
          {found.map((one) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus and names the active option.
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field receives the keys.
            <div
              key={one.command.id}
              id={optionId(one.command)}
              role="option"
              aria-selected={one.command === active || one.command.id === active?.id}
              className="palette-option"
              onClick={() => onChoose(one.command)}
              onPointerMove={() => onPoint(one.command)}
            >
              <CommandIcon command={one.command} />
              <Title found={one} />
              {one.command.keys && <KeyCaps keys={one.command.keys} />}
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}

/** Shows the title, with the letters marked that match the search. */
const Title = ({ found: { command, marked } }: { found: Found }) => (
  <span className="palette-title" dir="auto">
    {marked.size === 0
      ? command.title
      : [...chunks(command.title, marked)].map(([text, isMarked, at]) => (isMarked ? <b key={at}>{text}</b> : text))}
  </span>
)

function* chunks(title: string, marked: ReadonlySet<number>): Generator<readonly [string, boolean, number]> {
  let start = 0
  for (let at = 1; at <= title.length; at++) {
    if (at < title.length && marked.has(at) === marked.has(start)) continue
    yield [title.slice(start, at), marked.has(start), start]
    start = at
  }
}

const icons: Readonly<Record<CommandGroup, LucideIcon>> = {
  'This run': Play,
  'New run': Plus,
  Agents: Bot,
  Tools: Wrench,
  Runs: MessageSquare,
  'Go to': ArrowRight,
  Page: CommandSign,
}

/** Commands with an icon of their own, which the page shows on their buttons too. */
const own: Readonly<Record<string, LucideIcon>> = {
  'run.answer': MessageCircleQuestion,
  'run.stop': Square,
  'run.travel': History,
  'run.now': Undo2,
  'run.fork': GitFork,
  'run.compare': Columns2,
  'run.test': FlaskConical,
  'run.export': Download,
  'run.edit': Pencil,
}

/** The icon of a command's group. */
function CommandIcon({ command }: { command: Command }) {
  const Icon = own[command.id] ?? (command.isOnlyFound ? Columns2 : icons[command.group])
  return <Icon aria-hidden />
}
