import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { workerAgent } from '@interleave/connect/worker'
import { scriptedModel } from '@interleave/testing'
import type { leasing } from './lendingWorker.ts'

declare global {
  /** The actions of the test in this page. */
  var leaser: ReturnType<typeof createLeaser>
}

const kind = new URLSearchParams(location.search).get('model')

/** A model that this page has loaded, or one that waits until another page lets it. */
function createModel(asked: () => void): LanguageModelV4 {
  const model = scriptedModel((): string => 'From the page that has it.')
  return {
    ...model,
    async doStream(options) {
      asked()
      if (kind === 'loaded') return model.doStream(options)
      const stream = new ReadableStream<LanguageModelV4StreamPart>({
        start: (controller) => controller.enqueue({ type: 'stream-start', warnings: [] }),
      })
      return { stream }
    },
  }
}

function createLeaser() {
  const seen = { asked: 0, restored: 0 }
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) seen.restored++
  })
  const models = kind ? { local: createModel(() => seen.asked++) } : {}
  const createWorker = (): SharedWorker => new SharedWorker('/lendingWorker.js', { type: 'module' })
  const guide = workerAgent<typeof leasing>(createWorker, 'lending', { models })
  return {
    seen,
    async ask(): Promise<unknown> {
      return guide.start('Go').settled
    },
  }
}

globalThis.leaser = createLeaser()
