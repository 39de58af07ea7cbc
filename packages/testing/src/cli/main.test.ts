import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { agent } from '@interleave/core'
import { exportRun } from '@interleave/core/journal'
import { afterAll, expect, it } from 'vitest'
import { scriptedModel } from '../scriptedModel.ts'
import { main } from './main.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'interleave-'))
afterAll(() => rmSync(folder, { recursive: true }))

const write = (name: string, text: string): void => writeFileSync(path.join(folder, name), text)
const run = agent({ name: 'guide', model: scriptedModel('Two.') }).start('How many?')
await run.settled
const file = await exportRun(run)
write('run.json', JSON.stringify(file))
write('cases.csv', 'id,input,expected\nfirst,How many?,two\nsecond,How many?,three\n')
const packages = path.join(import.meta.dirname, '..')
write(
  'guide.ts',
  `import { agent } from ${JSON.stringify(path.join(packages, '../../core/src/index.ts'))}
import { scriptedModel } from ${JSON.stringify(path.join(packages, 'scriptedModel.ts'))}
export const guide = agent({ name: 'guide', model: scriptedModel(() => 'Two, I think.') })
export const long = ({ output }: { output: unknown }) => String(output).length > 3
`,
)

write('list.json', '[]')
write('marked.json', `\uFEFF${JSON.stringify(file)}`)
writeFileSync(path.join(folder, 'wide.json'), Buffer.from(`\uFEFF${JSON.stringify(file)}`, 'utf16le'))
write('CASES.CSV', 'input,expected\nHow many?,two\n')
mkdirSync(path.join(folder, 'a#b'))
write('a#b/open.ts', "export { guide } from '../guide.ts'\nsetInterval(() => {}, 1000)\n")
write('closing.ts', "export { guide } from './guide.ts'\nprocess.once('beforeExit', () => console.log('Closed.'))\n")

async function interleave(...args: readonly string[]) {
  const said: string[] = []
  const code = await main(args, { print: (text) => said.push(text), fail: (text) => said.push(text), cwd: folder })
  return { code, text: said.join('\n') }
}

it('replays the file of a run, with the agent of a module or without one', async () => {
  const alone = await interleave('test', 'run.json')
  const own = await interleave('test', 'run.json', '--agent', 'guide.ts#guide')

  expect(alone).toEqual({ code: 0, text: expect.stringMatching(/^✓ run\.json: same trace, 4 events in \d+ ms$/) })
  expect(own.code).toBe(0)
})

it('names the file that cannot be tested, and tests the others', async () => {
  const { code, text } = await interleave('test', 'list.json', 'none.json', 'run.json')

  expect(code).toBe(1)
  expect(text).toMatch(
    /^list\.json: The file of the run cannot be opened.*\nnone\.json cannot be read.*\n✓ run\.json: same trace/,
  )
})

it('reads files as Windows writes them', async () => {
  const said = await interleave('test', 'marked.json', 'wide.json')
  const cases = await interleave(
    'test',
    'CASES.CSV',
    '--agent',
    'guide.ts#guide',
    '--scorer',
    'contains',
    '--min',
    '50',
  )

  expect(said).toMatchObject({ code: 0, text: expect.stringMatching(/^✓ marked.*\n✓ wide/) })
  expect(cases.code).toBe(0)
})

/** Runs the command in a process of its own, until it has ended. */
async function spawned(...args: readonly string[]) {
  const command = path.join(import.meta.dirname, 'index.ts')
  const child = spawn(process.execPath, ['--conditions=@interleave/source', command, ...args], { cwd: folder })
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  await expect.poll(() => child.exitCode, { timeout: 10_000 }).not.toBeNull()
  return { out, errors, code: child.exitCode }
}

it('ends although the module of the agent holds something open, once all is written', async () => {
  const missing = Array.from({ length: 1_000 }, (_, index) => `${index}-${'x'.repeat(1_000)}.json`)
  const { out, errors, code } = await spawned('test', 'run.json', ...missing, '--agent', 'a#b/open.ts#guide')

  expect(out).toContain('✓ run.json: same trace')
  expect(errors.split('\n')).toHaveLength(missing.length + 1)
  expect(code).toBe(1)
})

it('ends by itself if nothing is open, so the module of the agent can close what it has', async () => {
  const { out, code } = await spawned('test', 'run.json', '--agent', 'closing.ts#guide')

  expect(out).toMatch(/^✓ run\.json: same trace.*\nClosed\.\n$/)
  expect(code).toBe(0)
})

it('prints nothing that steers the terminal', async () => {
  write(
    'steering.ts',
    "export const steering = () => ({ score: 0, why: 'Red: \\u001b[31m\\u009b2J\\u202e!\\u0007' })\n",
  )
  const args = ['test', 'cases.csv', '--agent', 'guide.ts#guide', '--scorer', 'steering.ts#steering']
  const { text } = await interleave(...args)
  const wrong = await interleave('test', 'run.json', '--agent', 'no\u001b[2J.ts')

  expect(text).toContain('Red: [31m2J!')
  expect(wrong.text).toContain('`--agent no[2J.ts` cannot be loaded')
})

it('fails with the first difference in plain words', async () => {
  const { code, text } = await interleave('test', 'run.json', '--agent', 'guide.ts#guide', '--model', 'agent')

  expect(code).toBe(1)
  expect(text).toContain('the recorded run has the model say "Two."; the replay has the model say "Two, I think.".')
})

it('prints pass rates of a data set, and fails below the wanted rate', async () => {
  const args = ['test', 'cases.csv', '--agent', 'guide.ts#guide', '--scorer'] as const
  const strict = await interleave(...args, 'contains', '--runs', '2')
  const lenient = await interleave(...args, 'contains', '--min', '50')
  const own = await interleave(...args, 'guide.ts#long')

  expect(strict.code).toBe(1)
  expect(strict.text).toContain('second  0/2     0 %')
  expect(lenient.code).toBe(0)
  expect(own.code).toBe(0)
})

it.each([
  [['test'], 'Name a command and a file.'],
  [['test', 'none.json'], 'none.json cannot be read'],
  [['test', 'guide.ts'], 'guide.ts is not JSON'],
  [['test', 'run.json', '--agent', 'guide.ts#other'], 'guide.ts has no export "other". It has: guide, long.'],
  [['test', 'run.json', '--agent', 'guide.ts#long'], 'is not an agent'],
  [['test', 'run.json', '--agent', 'none.ts#a'], '`--agent none.ts#a` cannot be loaded'],
  [['test', 'run.json', '--model', 'mine'], '`--model` must be "recorded" or "agent".'],
  [['test', 'cases.csv'], 'Name the agent to run'],
  [['test', 'cases.csv', '--agent', 'guide.ts#guide'], 'Name a scorer'],
  [
    ['test', 'cases.csv', '--agent', 'guide.ts#guide', '--scorer', 'exact', '--runs', 'x'],
    '`--runs` must be a number.',
  ],
  ...['101', '-1'].map((min): [string[], string] => [
    ['test', 'cases.csv', '--agent', 'guide.ts#guide', '--scorer', 'exact', `--min=${min}`],
    '`--min` must be a percentage from 0 to 100.',
  ]),
  [['test', 'run.json', '--what'], "Unknown option '--what'"],
])('says what is wrong with %j', async (args, message) => {
  const { code, text } = await interleave(...args)

  expect(code).toBe(1)
  expect(text).toContain(message)
})
