import { budget, type Claims, test } from '../../proofs.ts'

export const claims: Claims = {
  'Runs on Cloudflare Workers: one Durable Object owns one run, stores its log and wakes up to continue it.': [
    test('test/edge/runs.workerd.test.ts', 'works in an object of its own, and is shown as everywhere'),
    test('test/edge/runs.workerd.test.ts', 'continues by its alarm alone when its object dies'),
  ],
  'A Worker with all of it is 58 kB gzip.': [budget('@interleave/cloudflare')],
}
