import { arithmetic } from './arithmetic.ts'
import { emails, numbers, urls } from './mention.ts'
import { names } from './names.ts'
import type { Slot } from './slot.ts'
import { optionsIn } from './takeChoice.ts'
import { concepts, words } from './tokenise.ts'
import type { PlannerTool, Toolbox } from './toolbox.ts'
import { unitMentions } from './units.ts'

/** The fit of a tool to some words, with the reason. */
export interface Score {
  readonly tool: PlannerTool
  readonly points: number
  readonly reasons: readonly string[]
}

/** Below this many points a tool is not meant. */
export const enough = 2

/** All tools by how well they fit the words of a clause, the best first. */
export function scoreTools(text: string, { tools, spread }: Toolbox): Score[] {
  const said = [...concepts(text), ...signsSaid(text)]
  const scores = tools.map((tool) => {
    const shared = said.filter((key) => tool.weights.has(key))
    const spoken = sum(shared.map((key) => (tool.weights.get(key) ?? 0) / Math.sqrt(spread.get(key) ?? 1)))
    const shapes = shapesOf(text, tool)
    const reasons = [...shared.map((key) => `"${key}"`), ...shapes.map(([reason]) => reason)]
    return { tool, points: round(spoken + sum(shapes.map(([, points]) => points))), reasons }
  })
  return scores.toSorted((a, b) => b.points - a.points)
}

/** A question about anything goes to a tool that takes a question or a search, if no other tool fits. */
export function searchTool(text: string, { tools }: Toolbox): PlannerTool | undefined {
  if (!isQuestion(text) && !/\?\s*$/.test(text)) return undefined
  return tools.find(({ slots }) => slots.some((slot) => slot.required && slot.kind === 'query'))
}

export const isQuestion = (text: string): boolean =>
  /^\W*(?:(?:please|can you|could you|and)\s+)*(?:what|how|why|who|where|when|which|does|do|is|are|can|explain|tell me (?:about|more|how|what|why)|describe)\b/i.test(
    text,
  )

type Shape = readonly [reason: string, points: number]

/** Returns the words of the text in a form that a field of the tool takes. */
function shapesOf(text: string, { name, description, slots }: PlannerTool): Shape[] {
  const has = (kind: Slot['kind']): boolean => slots.some((slot) => slot.kind === kind)
  const count = (kind: Slot['kind']): number => slots.filter((slot) => slot.kind === kind && slot.required).length
  const shapes: (Shape | false)[] = [
    leads(text, name) && ['its verb comes first', 3],
    leads(text, description.split(' ', 1)[0] ?? '') && ['its description begins like that', 1],
    has('expression') && arithmetic(text, 0) !== undefined && ['a calculation', 3],
    namesOption(text, slots) && ['a listed value', 1.5],
    slots.some(({ name }) => words(name).at(-1) === 'by') &&
      /\b(?:by|per|for each)\s+\p{L}/u.test(text) && ['"by …"', 1],
    has('url') && urls(text).length > 0 && ['an address', 2],
    has('email') && emails(text).length > 0 && ['an e-mail address', 2],
    count('unit') > 0 && unitMentions(text).length >= count('unit') && numbers(text).length > 0 && ['a unit', 2.5],
    count('name') > 0 && names(text).length >= count('name') && ['a name', 0.5],
    count('name') > 0 && /\b(?:from|to|in)\s+\p{Lu}/u.test(text) && ['a place', 0.5],
    count('name') > 1 && /\bfrom\s+\S+.*\bto\s+\S+/i.test(text) && names(text).length > 1 && ['"from … to …"', 1.5],
  ]
  return shapes.filter((shape) => shape !== false)
}

const namesOption = (text: string, slots: readonly Slot[]): boolean =>
  slots.some((slot) => slot.required && slot.options.length > 1 && optionsIn(text, slot).length > 0)

const leads = (text: string, name: string): boolean => {
  const [first = ''] = words(text.replace(/^\W*(?:please|can you|could you|i want to|i would like to)\s+/i, ''))
  return concepts(first).some((verb) => concepts(name).includes(verb))
}

/** The verb of a calculation that is written in signs. */
const signsSaid = (text: string): string[] =>
  [...(arithmetic(text)?.match(/(?<=[\d)]\s*)[-+*/]/g) ?? [])].flatMap((sign) => concepts(verbs[sign] ?? ''))

const verbs: Readonly<Record<string, string>> = { '+': 'add', '-': 'subtract', '*': 'multiply', '/': 'divide' }
const sum = (points: readonly number[]): number => points.reduce((total, some) => total + some, 0)
const round = (points: number): number => Math.round(points * 10) / 10
