import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { createTextReader, type readText, type TextAction, type TextEvent, type TextReading } from '@interleave/text'
import { dataFolder, hasData, readRows } from './data.ts'

export const textFile = 'react-text.jsonl'

type Format = NonNullable<NonNullable<Parameters<typeof readText>[1]>['format']>

/** One turn of a model in text mode, and its expected reading. */
export interface TextRow {
  readonly id: string
  readonly format: Exclude<Format, 'auto'>
  readonly raw_text: string
  readonly expected: readonly TextStep[]
  readonly certainty: 'exact' | 'source-asserted' | 'policy' | 'lenient'
}

type TextStep =
  | { readonly type: 'thought'; readonly text: string }
  | { readonly type: 'action'; readonly tool: string; readonly args: unknown }
  | { readonly type: 'finish'; readonly text: string }

export const readTextRows = (): TextRow[] => readRows(textFile)

type Compare = (row: TextRow, steps: readonly TextStep[]) => string[]

/** The comparison that comes with the data. */
export async function loadCompare(): Promise<Compare> {
  if (!hasData('load.mjs')) return () => ['The data has no load.mjs to compare with.']
  const { compareReact } = await import(/* @vite-ignore */ pathToFileURL(path.join(dataFolder, 'load.mjs')).href)
  return compareReact
}

/**
 * Returns the differences between a reading and its row. The data keeps loose JSON as text; if the reader mended it,
 * the comparison may use the text instead.
 */
export function differences(row: TextRow, reading: TextReading, compare: Compare): string[] {
  const found = compare(row, toSteps(reading))
  const written = reading.actions.map(({ written: text, ...action }) =>
    text === undefined ? action : { ...action, input: text },
  )
  return found.length === 0 ? found : compare(row, toSteps({ ...reading, actions: written }))
}

function toSteps({ thought, actions, finish }: TextReading): TextStep[] {
  return [
    ...(thought === '' ? [] : [{ type: 'thought' as const, text: thought }]),
    ...actions.map(({ tool, input }) => ({ type: 'action' as const, tool, args: input })),
    ...(finish === undefined ? [] : [{ type: 'finish' as const, text: finish }]),
  ]
}

/** The reading of a text that arrives in pieces of this many characters. */
export function readInChunks({ raw_text, format }: TextRow, size: number): TextReading {
  const reader = createTextReader({ format })
  const events: TextEvent[] = []
  for (let i = 0; i < raw_text.length; i += size) events.push(...reader.read(raw_text.slice(i, i + size)))
  events.push(...reader.end())
  const deltas = (type: 'thought' | 'finish') => events.flatMap((event) => (event.type === type ? [event.delta] : []))
  const problem = events.find((event) => event.type === 'problem')
  return {
    thought: deltas('thought').join(''),
    actions: events.flatMap(({ type, ...action }) => (type === 'action' ? [action as TextAction] : [])),
    ...(deltas('finish').length > 0 && { finish: deltas('finish').join('') }),
    ...(problem && { problem: problem.message }),
  }
}

/** Returns true if the row expects a step that its text does not contain: it was recorded separately. */
export const isNextToText = ({ format, raw_text, expected }: TextRow): boolean =>
  format === 'swe-thought-fence' && !raw_text.includes('```') && expected.some(({ type }) => type !== 'thought')
