import { type Claims, constant, test } from '../proofs.ts'

export const claims: Claims = {
  '`runObject` | one run. Only `serveRuns` can reach it': [
    test('test/edge/runs.workerd.test.ts', 'takes no one for who they say they are to its objects'),
  ],
  'works while its object ends | resumes within half a minute (`watchMs`) without a request, at growing intervals if it ends the object again':
    [
      constant('packages/cloudflare/src/runObject.ts', 'watchMs', 'seconds'),
      test('test/edge/runs.workerd.test.ts', 'continues by its alarm alone when its object dies'),
    ],
  'waits for a user | is not in memory, even while pages show it, and costs only storage. A tool that asked runs again from its top':
    [
      test(
        'test/edge/hibernation.soak.workerd.test.ts',
        'leaves memory although a page looks, and the page learns of all that follows',
      ),
      test(
        'test/edge/hibernation.soak.workerd.test.ts',
        'waits over deaths of the process, and continues with the answer',
      ),
    ],
}
