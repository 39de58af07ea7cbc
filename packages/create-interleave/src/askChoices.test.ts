import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { askChoices } from './askChoices.ts'
import type { Choices } from './templates.ts'

let full: string
beforeEach(() => {
  full = mkdtempSync(path.join(tmpdir(), 'asked-'))
  writeFileSync(path.join(full, 'notes.md'), 'mine')
})
afterEach(() => rmSync(full, { recursive: true, force: true }))

const [enter, down, interrupt] = ['\r', '\u001b[B', '\u0003']

/** Answers each question, once it is shown, with these keys. */
async function answer(given: Choices, answers: readonly (readonly [question: string, keys: readonly string[]])[]) {
  const terminal = { input: new PassThrough(), output: new PassThrough() }
  let shown = ''
  terminal.output.on('data', (text) => {
    shown += text
  })
  const asked = askChoices(given, terminal)
  for (const [question, keys] of answers) {
    await vi.waitFor(() => expect(shown).toContain(question), { timeout: 30_000 })
    for (const key of keys) terminal.input.write(key)
  }
  return asked
}

it('asks for a directory and a template', async () => {
  const choices = await answer({}, [
    ['Where?', ['shop', enter]],
    ['Which template?', [down, enter]],
  ])

  expect(choices).toMatchObject({ directory: 'shop', template: 'next-app-router' })
})

it('asks nothing that the command line says', async () => {
  expect(await answer({ directory: 'shop', template: 'node-hono' }, [])).toMatchObject({ template: 'node-hono' })
})

it('asks before it replaces files', async () => {
  const given = { directory: full, template: 'node-hono' } as const

  expect(await answer(given, [['Replace files', ['y']]])).toMatchObject({ overwrite: true })
  expect(await answer(given, [['Replace files', [enter]]])).toBe(undefined)
})

it.each([
  ['Where?', {}],
  ['Which template?', { directory: 'shop' }],
])('is cancelled at "%s"', async (question, given) => {
  expect(await answer(given, [[question, [interrupt]]])).toBe(undefined)
})
