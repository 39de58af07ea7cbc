import {
  ArrowRight,
  Bot,
  Command as CommandSign,
  type LucideIcon,
  MessageSquare,
  Play,
  Plus,
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

/** What a command is about, at a glance. */
export function CommandIcon({ command }: { command: Command }) {
  const Icon = icons[command.group]
  return <Icon aria-hidden />
}
