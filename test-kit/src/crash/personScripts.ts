import type { RunState } from '@interleave/core'
import { described, type Script } from './script.ts'

const saidIn = ({ history, pending }: RunState, text: string): boolean =>
  [...history.flat(), ...pending].some((entry) => entry.type === 'said' && entry.content === text)

const interrupted: Script = {
  name: 'a message in the middle',
  describe: (life) =>
    described(life, [{ calls: [['charge']] }, { calls: [['look']] }, { calls: [['charge']] }, { calls: [['look']] }]),
  acts: [
    {
      when: ({ iteration }) => iteration >= 1,
      isDone: (state) => saidIn(state, 'Be quick'),
      act: (run) => run.say('Be quick'),
    },
  ],
}

const call = (state: RunState, key: string) =>
  state.history
    .flat()
    .flatMap((entry) => (entry.type === 'turn' ? entry.calls.filter((each) => each.key === key) : []))[0]

const stopped: Script = {
  name: 'a stop',
  describe: (life) => described(life, [{ calls: [['charge'], ['set']] }, { calls: [['charge']] }]),
  raced: ['1/tool/0', '1/tool/1'],
  late: ['1/tool/1'],
  acts: [
    {
      when: (state) => call(state, '1/tool/0')?.calledAt !== undefined && !call(state, '1/tool/0')?.result,
      isDone: (state) => state.rest?.type === 'stopped' || state.iteration > 1,
      act: (run) => run.stop(),
    },
  ],
}

const streaming: Script = {
  name: 'a stop of a turn',
  describe: (life) => described(life, [{ calls: [['charge']] }, 'Well.', 'Done.']),
  acts: [
    {
      when: ({ draft, iteration }) => iteration === 1 && draft?.text?.includes('Well') === true,
      isDone: ({ iteration }) => iteration > 1,
      act: (run) => run.stop(),
    },
  ],
}

/** Scripts of users who act in the middle of a run. */
export const personScripts: readonly Script[] = [interrupted, stopped, streaming]
