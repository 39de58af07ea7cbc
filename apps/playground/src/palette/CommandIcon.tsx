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
import type { Command, CommandGroup } from '../commands/Command.ts'

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
export function CommandIcon({ command }: { command: Command }) {
  const Icon = own[command.id] ?? (command.isOnlyFound ? Columns2 : icons[command.group])
  return <Icon aria-hidden />
}
