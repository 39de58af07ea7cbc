import type { Json } from '@interleave/core'
import fc from 'fast-check'

type Place = { readonly at: number; readonly of: number }
type Holder = Record<string | number, unknown>

/** Every member of every object and list, by who holds it. */
function membersOf(value: unknown): [Holder, string | number][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]): [Holder, string | number][] => [
    [value as Holder, Array.isArray(value) ? Number(key) : key],
    ...membersOf(member),
  ])
}

const hostile: readonly Json[] = [
  null,
  true,
  -1,
  1e21,
  '',
  'started',
  '__proto__',
  'constructor',
  '\ud800',
  9e15,
  [],
  {},
  [null],
  { type: 'text' },
  { extend: 'x' },
]
const hostileText = [
  '{"__proto__":{"polluted":1}}',
  '{"constructor":{"prototype":{"polluted":1}}}',
  `${'['.repeat(300)}${']'.repeat(300)}`,
]
const others: readonly unknown[] = [...hostile, ...hostileText.map((text) => JSON.parse(text))]

type Mutation = (log: unknown[], place: Place) => void
const mutations: Readonly<Record<string, Mutation>> = {
  truncated: (log, { at }) => void log.splice(at % log.length),
  beheaded: (log, { at }) => void log.splice(0, 1 + (at % log.length)),
  thinned: (log, { at }) => void log.splice(at % log.length, 1),
  doubled: (log, { at }) => void log.splice(at % log.length, 0, structuredClone(log[at % log.length])),
  swapped(log, { at, of }) {
    const [a, b] = [at % log.length, of % log.length]
    ;[log[a], log[b]] = [log[b], log[a]]
  },
  replaced(log, { at, of }) {
    const [holder, key] = pick(log, at)
    holder[key] = structuredClone(others[of % others.length])
  },
  exchanged(log, { at, of }) {
    const [holder, key] = pick(log, at)
    const [from, other] = pick(log, of)
    holder[key] = structuredClone(from[other])
  },
  removed(log, { at }) {
    const [holder, key] = pick(log, at)
    delete holder[key]
  },
}

function pick(log: unknown[], at: number): [Holder, string | number] {
  const members = membersOf(log)
  return members[at % members.length] ?? [{}, '']
}

/** Numbers the events again, so that their numbers alone reveal no damage. */
function renumber(log: unknown[]): void {
  let iteration = 0
  for (const [seq, event] of log.entries()) {
    if (typeof event !== 'object' || event === null) continue
    const { type } = event as { type?: unknown }
    if (type === 'thought') iteration++
    Object.assign(event, { seq, iteration })
  }
}

const place = fc.record({ at: fc.nat(), of: fc.nat() })

/** Damage of every kind, one to three times, with the numbers mended or not. */
export const damage: fc.Arbitrary<(log: readonly unknown[]) => unknown> = fc
  .record({
    steps: fc.array(fc.tuple(fc.constantFrom(...Object.keys(mutations)), place), { minLength: 1, maxLength: 3 }),
    mended: fc.boolean(),
  })
  .map(({ steps, mended }) => (log) => {
    const damaged: unknown[] = structuredClone([...log])
    for (const [name, where] of steps) if (damaged.length > 0) mutations[name]?.(damaged, where)
    if (mended) renumber(damaged)
    return damaged
  })

/** Flips a bit of the stored text. Undefined if the result is not JSON, which the reader of the store notices. */
export const bitFlip: fc.Arbitrary<(log: readonly unknown[]) => unknown> = fc
  .tuple(fc.nat(), fc.nat(6))
  .map(([at, bit]) => (log) => {
    const text = JSON.stringify(log)
    const index = at % text.length
    const flipped = String.fromCharCode(text.charCodeAt(index) ^ (1 << bit))
    try {
      return JSON.parse(text.slice(0, index) + flipped + text.slice(index + 1))
    } catch {
      return undefined
    }
  })
