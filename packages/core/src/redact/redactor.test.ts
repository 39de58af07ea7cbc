import { expect, it } from 'vitest'
import { Redactor } from './redact.ts'

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
  const redactor = new Redactor()
  redactor.redact({ input: { password: 'hunter22!' } })
  const [first, second] = [entryOf('It is hunter22!'), entryOf('Nothing')]

  const once = redactor.redact({ history: [first] })
  const reads = first.reads
  const twice = redactor.redact({ history: [first, second] })
  redactor.redact({ history: [first, second] })

  expect(reads).toBeGreaterThan(0)
  expect(first.reads).toBe(reads)
  expect(twice.history).toEqual([{ text: 'It is [redacted: field "password" 1]' }, second])
  expect(twice.history[0]).toBe(once.history[0])
})

it('looks again at what it knows, once it knows of another secret', () => {
  const redactor = new Redactor()
  const history = [{ text: 'It is hunter22!' }, { input: { memberNumber: 'abcdef123' } }]
  expect(redactor.redact({ history }).history).toBe(history)

  const told = redactor.redact({ history, input: { password: 'hunter22!' } })
  const schema = { properties: { memberNumber: { format: 'password' } } }
  const marked = redactor.redact({ history, ask: { schema } })

  expect(told.history[0]?.text).toBe('It is [redacted: field "password" 1]')
  expect(marked.history[1]?.input).toEqual({ memberNumber: '[redacted: field "memberNumber" 2]' })
})

it('knows the same object by its position', () => {
  const redactor = new Redactor()
  const shared = { token: 'abcdef123' }

  expect(redactor.redact({ usage: shared })).toEqual({ usage: shared })
  expect(redactor.redact({ input: shared })).toEqual({ input: { token: '[redacted: field "token" 1]' } })
})

it('counts the positions of a secret, also where they are the same object', () => {
  const redactor = new Redactor()
  const shared = { password: 'hunter22!' }

  redactor.redact({ input: shared, output: shared })

  expect(redactor.found()).toMatchObject([{ count: 2 }])
})
