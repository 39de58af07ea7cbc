import * as z from 'zod'

/** The work of a run: turns that call tools, then one turn of text. */
export interface Work {
  /** Turns that call tools. */
  readonly iterations: number
  /** Calls of each of these turns. */
  readonly calls: number
  /** Pieces of text of the last turn. */
  readonly deltas: number
}

/** Where a run is. It travels in the messages alone, so that a run goes on only if its tools really ran. */
export type Place = z.infer<typeof placeSchema>

export const placeSchema = z.object({
  turn: z.number(),
  iterations: z.number(),
  calls: z.number(),
  deltas: z.number(),
})

export const instructions = 'You do one step after another.'
export const toolName = 'step'
export const toolDescription = 'Does one step.'
export const delta = 'abcd '

export const toWork = (work: Partial<Work>): Work => ({ iterations: 0, calls: 1, deltas: 1, ...work })

export const toPrompt = (work: Work): string => JSON.stringify({ turn: 0, ...work } satisfies Place)

export const answerOf = ({ deltas }: Work): string => delta.repeat(deltas)
