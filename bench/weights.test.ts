import { execFile } from 'node:child_process'
import path from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { beforeAll, expect, it } from 'vitest'
import type { Weights } from './weights.ts'

/*
 * Measurements without noise: allocations and the memory left are the same on any machine. Each limit is the value when it
 * was last lowered, plus a few percent. A change that needs more says in its commit what for.
 */

let floor: Weights
let events: Weights
let listened: Weights

beforeAll(async () => {
  floor = await weigh('floor')
  events = await weigh('interleave')
  listened = await weigh('interleave, listened to')
})

it('leaves nothing of a finished run, once new memory was collected', () => {
  expect(events.left).toBeLessThan(1.25 * floor.left)
  expect(listened.left).toBeLessThan(1.25 * floor.left)
})

it('makes no more promises for an iteration', () => {
  expect(events.promises.iteration).toBeLessThan(71)
  expect(listened.promises.iteration).toBeLessThan(59)
})

it('makes no more promises for a delta', () => {
  expect(events.promises.delta).toBeLessThan(7)
  expect(listened.promises.delta).toBeLessThan(5)
})

it('allocates no more for an iteration', () => {
  expect(events.bytes.iteration).toBeLessThan(44_500)
  expect(listened.bytes.iteration).toBeLessThan(42_500)
})

it('allocates no more for a delta', () => {
  expect(events.bytes.delta).toBeLessThan(1_700)
  expect(listened.bytes.delta).toBeLessThan(1_500)
})

/** In a process of its own, whose compiler leaves no allocation out and whose new memory is large enough for a measurement. */
async function weigh(subject: string): Promise<Weights> {
  const flags = ['--expose-gc', '--no-opt', '--min-semi-space-size=128', '--max-semi-space-size=128']
  const args = [...flags, '--conditions=@interleave/source', path.join(import.meta.dirname, 'weigh.ts'), subject]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, NODE_OPTIONS: '' } })
  return JSON.parse(stdout)
}
