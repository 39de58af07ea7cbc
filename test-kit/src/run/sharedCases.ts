import type { Run } from '@interleave/core'
import { observer } from '@interleave/core/observe'
import { equal, refuses } from '@interleave/testing/internal'
import type { RunPlace } from '../runPlace.ts'
import { closeOf, keptOf, newId, openAsk, type RunCases, settled, until, untilKept, untilSettled } from './runCase.ts'

const takesOver = ({ differences = [] }: RunPlace): boolean => differences.includes('takesOver')

/** The cases of one run with several clients. */
export const sharedCases: RunCases = {
  async 'shows who comes later what was, and all of them what comes'(place) {
    const first = place.open('asker').start('confirm')
    await settled(first, 'inputNeeded')
    const second = await place.open('asker').resume(first.id)
    equal(await keptOf(second), await keptOf(first))
    await second.reply(openAsk(second), true)
    await untilSettled(second, 'answer')
    if (takesOver(place)) return isTakenOver(first)
    await untilSettled(first, 'answer')
    equal(await keptOf(second), await keptOf(first))
    equal(second.state, first.state)
  },

  async 'shows who comes in the middle of a turn what there is of it'(place) {
    if (takesOver(place)) return
    const first = place.open('endless').start('Go')
    await until(first, ({ draft }) => draft?.text.startsWith('0 1 2 '))
    await untilKept(place, first)
    const second = await place.open('endless').resume(first.id)
    await until(second, ({ draft }) => draft?.text.startsWith('0 1 2 3 4 5 '))
    await second.stop()
    await Promise.all([untilSettled(first, 'stopped'), untilSettled(second, 'stopped')])
    equal(await keptOf(second), await keptOf(first))
  },

  async 'takes one of two answers that come at once'(place) {
    if (takesOver(place)) return
    const first = place.open('asker').start('confirm')
    await settled(first, 'inputNeeded')
    const second = await place.open('asker').resume(first.id)
    const ask = openAsk(first)
    const replies = await Promise.allSettled([first.reply(ask, true), second.reply(ask, false)])
    await Promise.all([untilSettled(first, 'answer'), untilSettled(second, 'answer')])
    equal(replies.filter(({ status }) => status === 'fulfilled').length, 1)
    const refused = replies.find((each) => each.status === 'rejected')
    equal(refused?.reason.code, 'ask_unknown')
    equal((await keptOf(first)).filter(({ type }) => type === 'replied').length, 1)
  },

  async 'hears all that several say, each message once'(place) {
    if (takesOver(place)) return
    const first = place.open('echo').start('One')
    await settled(first, 'answer')
    const second = await place.open('echo').resume(first.id)
    await Promise.all([first.say('Two'), second.say('Three')])
    const isThrough = (run: Run): Promise<void> =>
      until(run, ({ signal, pending }) => signal?.type === 'answer' && pending.length === 0 && saidIn(run).length === 3)
    await Promise.all([isThrough(first), isThrough(second)])
    equal(saidIn(first).sort(), ['One', 'Three', 'Two'])
    equal(saidIn(second), saidIn(first).length === 3 ? saidIn(second) : [])
  },

  async 'is found again when nobody has it any more'(place) {
    const first = place.open('asker').start('confirm')
    await settled(first, 'inputNeeded')
    closeOf(first)?.()
    const again = await place.open('asker').resume(first.id)
    await again.reply(openAsk(again), true)
    await untilSettled(again, 'answer')
  },

  async 'goes on for others when one lets go of it'(place) {
    const first = place.open('held').start('One')
    const close = closeOf(first)
    if (!close) return
    await until(first, ({ seq }) => seq >= 2)
    await untilKept(place, first)
    const second = await place.open('held').resume(first.id)
    close()
    equal((await first.settled).type, 'stopped')
    await refuses(() => first.say('More'), 'stopped')
    await second.say('Two')
    equal((await settled(second, 'answer')).output, 'Heard: One | Two')
  },

  async 'is not found where it never was'({ open }) {
    await refuses(() => open('echo').resume(newId()), 'run_unknown')
  },

  async 'is not resumed by another agent'({ open }) {
    const run = open('echo').start('Hello')
    await settled(run, 'answer')
    await refuses(() => open('asker').resume(run.id), 'agent_mismatch')
  },

  async 'calls the observers of who resumes it from then on'(place) {
    const first = place.open('echo').start('One')
    await settled(first, 'answer')
    const seen: unknown[] = []
    const onFinish = (signal: { type: string; output?: unknown }) => seen.push(signal.output)
    const observers = [observer({ onFinish })]
    const second = await place.open('echo').resume(first.id, { observers })
    await second.say('Two')
    await until(second, () => seen.length > 0 && seen.at(-1) === 'Heard: One | Two')
  },
}

const saidIn = ({ state }: Run): string[] =>
  [...state.history.flat(), ...state.pending].flatMap((entry) => (entry.type === 'said' ? [String(entry.content)] : []))

/** The previous owner notices when it writes. */
async function isTakenOver(run: Run): Promise<void> {
  await refuses(() => run.say('Still there?'), 'journal_conflict')
}
