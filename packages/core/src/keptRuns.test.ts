import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { answered, sampleRuns } from '@interleave/test-kit/sampleRuns'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { fold } from './changes/all.ts'
import { replay } from './history/index.ts'
import { agent, isAgentError } from './index.ts'
import { exportRun, importRun, memoryJournal, type RunFile, savedRun } from './journal/index.ts'
import type { RunState } from './state.ts'
import { checkLog } from './validate/validate.ts'

/*
 * Runs as earlier versions wrote them, a folder for each format. They are never written again: what was kept once has to be
 * read for ever. A new format gets a folder of its own, with WRITE_KEPT_RUNS=format2.
 */

interface Kept {
  readonly writtenBy: { readonly version: string; readonly commit: string }
  readonly file: RunFile
  readonly state: RunState
}

const folder = path.join(import.meta.dirname, '../../../test-kit/src/kept')
const read = <T>(name: string): T => JSON.parse(readFileSync(path.join(folder, name), 'utf8'))
const filesOf = (name: string) => readdirSync(path.join(folder, name)).filter((file) => file.endsWith('.json'))
const formats = readdirSync(folder).filter((name) => name.startsWith('format') && !name.endsWith('.json'))
const samples = await sampleRuns()
const kept = formats.flatMap((format) =>
  filesOf(format).map((file) => [`${format}/${file}`, path.parse(file).name] as const),
)
const hashOf = (name: string) =>
  createHash('sha256')
    .update(readFileSync(path.join(folder, name)))
    .digest('hex')

/** Returns how often it was charged, by the state. */
const chargesOf = ({ history }: RunState): number =>
  history
    .flat()
    .flatMap((entry) => (entry.type === 'turn' ? entry.calls : []))
    .filter(({ name, result, error }) => name === 'charge' && result && !error).length

const { WRITE_KEPT_RUNS: format = '', COMMIT = '' } = process.env
it.runIf(format)('writes a folder of runs (only if WRITE_KEPT_RUNS names it)', async () => {
  mkdirSync(path.join(folder, format), { recursive: true })
  for (const { id, name, journal } of samples) {
    const file = await exportRun(journal, id)
    const whole: Kept = { writtenBy: { version: '0.0.0', commit: COMMIT }, file, state: fold(file.events) }
    writeFileSync(path.join(folder, format, `${name}.json`), `${JSON.stringify(whole, null, 1)}\n`, { flag: 'wx' })
  }
})

it('has a sample of each kind, and the files as they were written', () => {
  expect(kept.map(([, name]) => name)).toEqual(expect.arrayContaining(samples.map(({ name }) => name)))
  expect(Object.fromEntries(kept.map(([name]) => [name, hashOf(name)]))).toEqual(read('hashes.json'))
})

it.each(kept)('reads %s: its log gives its state, and it is imported and replayed', async (name) => {
  const { file, state } = read<Kept>(name)
  const journal = memoryJournal()

  const id = await importRun(file, { journal })

  expect(fold(checkLog((await journal.read(id)).slice(0, file.events.length)))).toEqual(state)
  expect(replay(file).stateAt()).toEqual(state)
})

it.each(kept)(
  'continues with %s from its end and from each position, and repeats nothing that is done',
  async (name, kind) => {
    const { file } = read<Kept>(name)
    const { describe } = samples.find((sample) => sample.name === kind) ?? {}
    for (let length = 1; length <= file.events.length; length++) {
      const journal = memoryJournal()
      await journal.append(file.runId, file.events.slice(0, length))
      const effects: string[] = []
      const run = await describe?.((what) => effects.push(what)).resume(file.runId, { journal })
      if (!run) throw new Error(`There is no sample "${kind}".`)
      const { state: before } = run

      await answered(run)
      const signal = await run.settled
      if (length === file.events.length) await run.say('And now?')

      expect(signal, `after ${length} events`).not.toMatchObject({ error: { code: 'step_failed' } })
      expect(run.state.usage.inputTokens).toBeGreaterThanOrEqual(before.usage.inputTokens)
      const charged = effects.filter((effect) => effect === 'charge').length
      if (!file.below?.length) expect(chargesOf(run.state) - chargesOf(before), `after ${length} events`).toBe(charged)
      expect(await run.settled).toHaveProperty('type')
    }
  },
  30_000,
)

it.each(kept)('continues with the log of %s without a journal', async (name, kind) => {
  const { file, state } = read<Kept>(name)
  const run = await samples
    .find((sample) => sample.name === kind)
    ?.describe(() => {})
    .resume(savedRun(file.events))

  await run?.say('And now?')
  if (run) await answered(run)

  expect(run?.state.usage.inputTokens).toBeGreaterThanOrEqual(state.usage.inputTokens)
  expect(run?.state.signal).not.toMatchObject({ error: { code: 'step_failed' } })
})

it.each([
  [true, ['pay']],
  [false, []],
])('takes the reply to an approval that a stored run waits for: %s', async (approved, paid) => {
  const { file } = read<Kept>('format1/tools.json')
  const asked = file.events.findIndex((event) => event.type === 'asked' && event.ask.kind === 'approval')
  const journal = memoryJournal()
  await journal.append(file.runId, file.events.slice(0, asked + 1))
  const effects: string[] = []
  const tools = samples.find(({ name }) => name === 'tools')
  const run = await tools?.describe((what) => effects.push(what)).resume(file.runId, { journal })

  await run?.settled
  await run?.reply(run.state.asks[0]?.id ?? '', { approved })
  await run?.settled

  expect(effects.filter((effect) => effect === 'pay')).toEqual(paid)
  expect(JSON.stringify(run?.state.history)).toContain(approved ? 'done pay' : 'tool_refused')
})

it.each(filesOf('refused'))('refuses %s before anything is done', async (name) => {
  const { because, log } = read<{ because: string; log: unknown }>(`refused/${name}`)
  const model = scriptedModel('Never said.')
  const written: unknown[] = []
  const journal = {
    ...memoryJournal(),
    read: () => log as never,
    append: (...given: unknown[]) => void written.push(given),
    claim: (...given: unknown[]) => written.push(given),
  }

  const error = await agent({ name: 'a', model })
    .resume('r', { journal })
    .catch((thrown: unknown) => thrown)

  expect(isAgentError(error) && error.code).toBe('log_invalid')
  expect(String(error)).toContain(because)
  expect([model.calls, written]).toEqual([[], []])
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
})
