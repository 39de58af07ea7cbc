import type { Result } from '../sample.ts'
import { barPlot } from './bars.ts'
import { linePlot } from './lines.ts'
import { figure } from './svg.ts'

export interface Plot {
  /** Of the picture, in `docs/images/benchmarks`. */
  readonly file: string
  readonly heading: string
  /** Says in a sentence what the picture shows, with its figures. */
  readonly sentence: string
  readonly picture: string
}

type Results = readonly Result[]
type Maker = (results: Results) => Plot | undefined

/** The pictures that can be drawn from a record, the headline first. */
export function plotsOf(results: Results): Plot[] {
  return makers.flatMap((make) => make(results) ?? [])
}

const keys = 'INP with a CPU four times as slow'
const frame = 'longest frame, 20 conversations of 100 deltas a second'
const commits = 'commits of the text, 1,000 deltas in a second'
const neighbors = 'commits of a neighboring component'
const thousand = 'until all are done'
const kept = '10 iterations, result kept'
const hello = 'hello agent, without zod'

const makers: readonly Maker[] = [
  bars(
    'typing',
    'Typing while 20 conversations stream',
    ['react', keys],
    'From a key to the next paint (INP), with a CPU four times as slow',
    (of) => {
      const slow = `${of('ai')} ms with \`useChat\`, and ${of('ai, throttled')} ms when it is throttled`
      return `With the speed of a phone, a key is painted after ${of('interleave')} ms with Interleave (by hand ${of('floor')} ms), ${slow}.`
    },
  ),
  bars('frames', 'The longest frame', ['react', frame], 'Main thread work in the longest frame', (of) => {
    const slow = `${of('ai')} ms with \`useChat\`, and ${of('ai, throttled')} ms when it is throttled`
    return `In the same page the longest frame works for ${of('interleave')} ms with Interleave, ${slow}.`
  }),
  bars('commits', 'Commits of React', ['react', commits], 'Commits for 1,000 deltas in a second', (of, all) => {
    const neighbor = (subject: string) => shownValue(all, 'react', neighbors, subject)
    const others = `a component that shows the status alone ${neighbor('interleave')} times (\`useChat\`: ${neighbor('ai')})`
    return `\`useReAct\` commits the text once per frame, ${of('interleave')} times where \`useChat\` commits ${of('ai')}, and ${others}.`
  }),
  lines('iterations', 'An iteration, in short and in long runs', 'iteration', {
    unit: 'iterations of a run',
    say: (low, high) => `costs ${low} to ${high} times the loop by hand, in a run of ten as in one of ten thousand`,
  }),
  lines('deltas', 'A text delta', 'delta', {
    unit: 'deltas of a turn',
    say: (low, high) => `costs ${low} to ${high} times what it costs by hand, however long the answer is`,
  }),
  bars('thousand', '1,000 runs at once', ['concurrent', thousand], 'Until 1,000 runs of 5 calls are done', (of) => {
    return `A thousand runs that wait for models and tools are over after ${of('interleave')} ms; by hand it is ${of('floor')} ms, with the AI SDK ${of('ai')} ms.`
  }),
  bars('heap', 'Memory of a finished run', ['heap', kept], 'Heap of a run of 10 iterations', (of) => {
    return `A finished run that the app keeps takes ${of('interleave')} kB, its whole log included; the list of messages by hand takes ${of('floor')} kB.`
  }),
  bars('bundle', 'What a page loads', ['bundle', hello], 'An agent with one tool, gzip, without zod', (of) => {
    return `A first agent with one tool is ${of('interleave')} kB; with the AI SDK's agent it is ${of('ai')} kB.`
  }),
]

type FigureOf = (subject: string) => string
type Key = readonly [name: string, metric: string]
type Sentence = (of: FigureOf, results: Results) => string

function bars(file: string, heading: string, key: Key, title: string, sentence: Sentence): Maker {
  return (results) => {
    const same = withoutListened(results.filter((result) => result.case === key[0] && result.metric === key[1]))
    if (same.length < 2) return undefined
    const of: FigureOf = (subject) => shownValue(results, ...key, subject)
    return { file, heading, sentence: sentence(of, results), picture: barPlot(title, same) }
  }
}

interface Lines {
  readonly unit: string
  /** With the least and the greatest ratio to the floor. */
  say(low: string, high: string): string
}

function lines(file: string, heading: string, name: string, { unit, say }: Lines): Maker {
  return (results) => {
    const same = withoutListened(results.filter((result) => result.case === name && sizeOf(result) > 0))
    if (same.length === 0) return undefined
    const ratios = same.filter(({ subject }) => subject === 'interleave').map((ours) => ratioOf(ours, same))
    const sentence = `${heading.split(',')[0]} ${say(figure(Math.min(...ratios)), figure(Math.max(...ratios)))}.`
    const title = `Microseconds of CPU, after a full collection (both axes logarithmic)`
    return { file, heading, sentence, picture: linePlot({ title, xTitle: unit, sizeOf }, same) }
  }
}

/** Ours, listened to, is in the tables. */
const withoutListened = (results: Results): Result[] =>
  results.filter(({ subject }) => subject !== 'interleave, listened to')

/** Of "in a run of 1,000, after a full collection", 1,000; 0 for a metric of another kind. */
const sizeOf = ({ metric }: Result): number =>
  Number(/^in a (?:run|turn) of ([\d,]+), after/.exec(metric)?.[1]?.replaceAll(',', '') ?? 0)

function ratioOf(ours: Result, results: Results): number {
  const floor = results.find(({ subject, metric }) => subject === 'floor' && metric === ours.metric)
  return ours.median / (floor?.median ?? Number.NaN)
}

function shownValue(results: Results, name: string, metric: string, subject: string): string {
  const found = results.find((result) => result.case === name && result.metric === metric && result.subject === subject)
  return found ? figure(found.median) : '–'
}
