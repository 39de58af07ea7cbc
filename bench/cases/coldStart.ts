import { startWorkerd } from '../../test/edge/startWorkerd.ts'
import { bundle } from '../bundle.ts'
import type { NodeCase } from '../nodeCase.ts'
import { median } from '../sample.ts'
import { clock } from '../serving/clock.ts'

const floor = `export default { fetch: () => new Response('Hi.') }`
const served = `import { agent } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { createHandler } from '@interleave/server'
const model = { specificationVersion: 'v4', provider: 'none', modelId: 'none', supportedUrls: {}, doStream() {}, doGenerate() {} }
const handle = createHandler({
  agents: [agent({ name: 'guide', model })],
  journal: memoryJournal(),
  secret: 'a secret for measurements, of 32 bytes',
  authorize: () => 'ada',
})
export default { fetch: handle }`

/** The start time of a worker that was just deployed to an edge. */
export const coldStart: NodeCase = {
  name: 'coldStart',
  title: 'A worker in workerd that begins',
  subjects: ['floor', 'interleave'],
  async measure({ subject, quick }) {
    const code = (await bundle(subject.name === 'floor' ? floor : served)).toString()
    const taken: { readonly first: number; readonly next: number }[] = []
    for (let i = 0; i < (quick ? 2 : 5); i++) taken.push(await measureStart(code))
    return [
      { metric: 'from its process to its first answer', unit: 'ms', value: median(taken.map(({ first }) => first)) },
      { metric: 'its next answer', unit: 'ms', value: median(taken.map(({ next }) => next)) },
    ]
  },
}

async function measureStart(code: string): Promise<{ readonly first: number; readonly next: number }> {
  const start = clock()
  const workerd = await startWorkerd({ code })
  try {
    const ask = async (): Promise<number> => {
      const response = await fetch(`${workerd.url}/v1/runs`)
      await response.text()
      if (!response.ok) throw new Error(`The worker answers with ${response.status}.`)
      return clock()
    }
    const first = await ask()
    const next = await ask()
    return { first: first - start, next: next - first }
  } finally {
    await workerd.end()
  }
}
