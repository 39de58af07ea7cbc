import { agents } from '../agents/index.ts'
import { toolLink } from '../bench/toolLink.ts'
import type { Command } from '../commands/Command.ts'
import type { Edits } from '../run/edits.ts'
import { fileOf } from '../run/edits.ts'

/** For each agent: its tools, to try alone. */
export const toolCommands = (edits: Edits): readonly Command[] =>
  agents.flatMap((offer) =>
    toolNames(fileOf(offer, edits)).map(
      (tool): Command => ({
        id: `tool.${offer.id}.${tool}`,
        group: 'Tools',
        title: `Test a tool: ${tool}`,
        words: `${offer.title} bench call`,
        run: () => {
          location.hash = toolLink({ agent: offer.id, tool })
        },
      }),
    ),
  )

/** The names in the list of tools of a file. The bench itself reads the file whole. */
const toolNames = (file: string): readonly string[] =>
  /^[ \t]*tools:\s*\[([^[\]]*)\]/m
    .exec(file)?.[1]
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'askUser') ?? []
