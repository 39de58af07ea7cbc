import { type Claims, test } from '../proofs.ts'

export const claims: Claims = {
  'runs that resume after a crash or a deployment without a request; waits of days that cost only storage | Durable Objects or Restate | a Worker, or a Restate server':
    [
      test('test/edge/runs.workerd.test.ts', 'continues by its alarm alone when its object dies'),
      test('test/edge/runs.workerd.test.ts', 'continues by its alarm alone when the process dies'),
      test(
        'test/edge/hibernation.soak.workerd.test.ts',
        'leaves memory although a page looks, and the page learns of all that follows',
      ),
    ],
  'your `useChat` UI | any of them, behind the AI SDK | five lines': [
    test('test/docs/docs.test.ts', '%s shows as many lines as it says: %s'),
    test('test/docs/inChromium.soak.test.ts', 'books with the app of useChat, before and after its five lines: %s'),
  ],
  'tabs | the same; another tab takes over within a tenth of a second': [
    test('test/docs/docs.test.ts', 'says of time only what the benchmarks measured'),
  ],
  'With a journal, the guarantee is the same on each: a call whose result is recorded never runs again, and one that may already have run follows its `effect`.':
    [
      test('packages/core/src/promises.test.ts', 'I5: repeats nothing unasked that was done with an answer %s'),
      test(
        'test/edge/survival.soak.workerd.test.ts',
        'nothing is lost and nothing done twice, whenever objects and processes die',
      ),
      test('test/restate/kills.soak.restate.test.ts', 'loses and doubles nothing while workers are killed'),
      test(
        'test/servers/processes.soak.survival.test.ts',
        'nothing is lost and nothing done twice, whenever processes die',
      ),
    ],
  'a second `resume` of a run | takes it over; the first gets `journal_conflict` at its next write | shows the same run; with a `Worker` for each tab as in the page | shows the same run':
    [
      test(
        'packages/connect/src/worker/workerAgent.test.ts',
        'continues a run here that was continued elsewhere, once its user tries again',
      ),
      test('packages/core/src/log/log.test.ts', 'stops one of two owners of a run'),
      test(
        'packages/connect/src/tabs/acrossTabs.test.ts',
        'works in the tab that began it, and is followed live in the others',
      ),
      test('packages/connect/src/worker/workerAgent.test.ts', 'gives a page that has the run already the same one'),
    ],
  '`fork` | with any edit | with any edit | only user messages can be edited, not tool results': [
    test('packages/server/src/createHandler.test.ts', 'forks a run with another message, and exports it'),
  ],
  'run ids of your own | any string | any string | 22 to 64 letters, digits, `-` and `_`; make them random': [
    test('packages/server/src/threats.test.ts', 'row 7: accepts only ids that cannot be guessed'),
    test('packages/core/src/checkRunId.test.ts', 'refuses %j for the id of a run, where it is given'),
  ],
}
