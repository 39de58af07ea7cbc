import { type CommandGroup, commandGroups } from '../commands/Command.ts'
import type { Found } from './findCommands.ts'

export interface FoundGroup {
  readonly title: CommandGroup | 'Recent' | 'Best fit'
  readonly found: readonly Found[]
}

/** The number of commands of a group that are listed before anything is typed. */
const atFirst = 6

/** Groups the commands found: by fit, or before anything was typed by subject, the latest used first. */
export function groupFound(found: readonly Found[], query: string, recent: readonly string[]): readonly FoundGroup[] {
  if (query.trim()) return found.length === 0 ? [] : [{ title: 'Best fit', found: found.slice(0, 50) }]
  const used = recent.flatMap((id) => found.find(({ command }) => command.id === id) ?? [])
  const groups = commandGroups.map((title) => ({
    title,
    found: found
      .filter((one) => one.command.group === title && !one.command.isOnlyFound && !used.includes(one))
      .slice(0, atFirst),
  }))
  return [{ title: 'Recent' as const, found: used }, ...groups].filter((group) => group.found.length > 0)
}
