import { expect, it } from 'vitest'
import { createRedactor } from './redact.ts'

/** An entry of a history that counts how often it is looked at. */
function entryOf(text: string) {
  const entry = {
    reads: 0,
    get text() {
      entry.reads++
      return text
    },
  }
  Object.defineProperty(entry, 'reads', { enumerable: false })
  return entry
}

it('looks at what it knows only once, while a history grows', () => {
  const { redact } = createRedactor()
  redact({ input: { password: 'hunter22!' } })
  const [first, second] = [entryOf('It is hunter22!'), entryOf('Nothing')]

  const once = redact({ history: [first] })
  const reads = first.reads
  const twice = redact({ history: [first, second] })
  redact({ history: [first, second] })

  expect(reads).toBeGreaterThan(0)
  expect(first.reads).toBe(reads)
  expect(twice.history).toEqual([{ text: 'It is [redacted: field "password" 1]' }, second])
  expect(twice.history[0]).toBe(once.history[0])
})

it('looks again at what it knows, once it knows of another secret', () => {
  const { redact } = createRedactor()
  const history = [{ text: 'It is hunter22!' }, { input: { memberNumber: 'abcdef123' } }]
  expect(redact({ history }).history).toBe(history)

  const told = redact({ history, input: { password: 'hunter22!' } })
  const schema = { properties: { memberNumber: { format: 'password' } } }
  const marked = redact({ history, ask: { schema } })

  expect(told.history[0]?.text).toBe('It is [redacted: field "password" 1]')
  expect(marked.history[1]?.input).toEqual({ memberNumber: '[redacted: field "memberNumber" 2]' })
})

it('knows the same object by the place where it stands', () => {
  const { redact } = createRedactor()
  const shared = { token: 'abcdef123' }

  expect(redact({ usage: shared })).toEqual({ usage: shared })
  expect(redact({ input: shared })).toEqual({ input: { token: '[redacted: field "token" 1]' } })
})

it('counts the places of a secret, also where they are the same object', () => {
  const { redact, found } = createRedactor()
  const shared = { password: 'hunter22!' }

  redact({ input: shared, output: shared })

  expect(found()).toMatchObject([{ count: 2 }])
})
