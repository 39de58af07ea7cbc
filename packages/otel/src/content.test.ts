import { redact } from '@interleave/core/observe'
import { expect, it } from 'vitest'
import { Content } from './content.ts'

const token = `eyJhbGciOiJIUzI1NiJ9.${btoa(JSON.stringify({ sub: 'x'.repeat(902) }))}.${'S'.repeat(43)}`
const user = (text: string) => ({ role: 'user' as const, content: [{ type: 'text' as const, text }] })

it('records no beginning of a secret that the maximum length cuts', () => {
  const content = new Content({ redact: (value) => redact(value).value }, 16_384)

  for (const tokens of [1, 20, 40, 400])
    expect(content.json({ a: Array(tokens).fill(token).join(' ') })).not.toContain('eyJ')
  expect(content.messages([user('x'.repeat(15_900)), user(`${token} ${'y '.repeat(9_000)}`)])).not.toContain('eyJ')
  expect(content.json('z'.repeat(90_000)).length).toBeGreaterThan(16_000)
})

it('reads no more of a value than it records, even if the rest is empty lists', () => {
  let read = 0
  const list = new Proxy<unknown[]>(Array(1_000_000).fill([]), {
    get: (target, key, receiver) => {
      if (typeof key === 'string' && /^\d+$/.test(key)) read++
      return Reflect.get(target, key, receiver)
    },
  })

  expect(new Content({}, 1_000).json(list).length).toBeLessThanOrEqual(1_000)
  expect(read).toBeLessThan(2_000)
})

it('records that a message has a file, and never its bytes', () => {
  const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ'
  const file = { type: 'file' as const, mediaType: 'image/png' }
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0))
  const content = new Content({}, 16_384)

  for (const given of [data, bytes]) {
    const part = { ...file, data: { type: 'data' as const, data: given } }
    const output = { type: 'content' as const, value: [part] }
    const result = { type: 'tool-result' as const, toolCallId: 'c', toolName: 'draw', output }
    const recorded = [
      content.messages([{ role: 'user', content: [part] }]),
      content.messages([{ role: 'tool', content: [result] }]),
    ]
    for (const each of recorded) {
      expect(each).toContain('image/png')
      expect(each).not.toMatch(/iVBOR|137,80/)
    }
  }
})
