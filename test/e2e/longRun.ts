import type { Page } from 'playwright-core'

/** Returns the file of a run of the docs reader with this many turns. Each but the last thinks, calls a tool and observes. */
export function longRun(turns: number): string {
  const events: object[] = []
  const add = (iteration: number, event: object): void => {
    const seq = events.length
    events.push({ seq, at: 1_780_000_000_000 + seq * 400, iteration, ...event })
  }
  add(0, { type: 'started', runId: 'long', agent: 'docs reader', version: '1' })
  add(0, { type: 'said', by: 'user', content: 'Look up every fact.' })
  for (let turn = 1; turn < turns; turn++) {
    const query = `fact ${turn}`
    const call = { type: 'tool-call', toolCallId: `c${turn}`, toolName: 'searchDocs', input: { query } }
    const parts = [{ type: 'reasoning', text: `I look up ${query} next.` }, call]
    add(turn, { type: 'thought', readUntil: 2, model, parts, usage, ms: 779, finish: { unified: 'tool-calls' } })
    add(turn, { type: 'claimed', call: `${turn}/tool/0` })
    const value = [
      { title: `About ${query}`, text: `It is number ${turn}.` },
      { title: 'Elsewhere', text: `Nothing of ${query}.` },
    ]
    add(turn, { type: 'observed', call: `${turn}/tool/0`, result: { type: 'json', value }, output: value, ms: 181 })
  }
  const answer = 'All facts are looked up.'
  const parts = [{ type: 'text', text: answer }]
  add(turns, { type: 'thought', readUntil: 2, model, parts, usage, ms: 900, finish: { unified: 'stop' } })
  add(turns, { type: 'settled', signal: { type: 'answer', output: answer, reason: 'text' } })
  return JSON.stringify({
    ...{ format: 'interleave.debug', formatVersion: 1, runId: 'long', agent: 'docs reader', version: '1', events },
  })
}

const model = { provider: 'demo', modelId: 'rule-based' }
const usage = {
  ...{ inputTokens: 450, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 20, reasoningTokens: 0 },
  ...{ cost: 0, unpricedTurns: 0 },
}

/** Opens the file of a run, as a user does, and waits until its run is shown. */
export async function importRun(page: Page, file: string): Promise<void> {
  const before = page.url()
  await page
    .locator('#run-file')
    .setInputFiles({ name: 'run.json', mimeType: 'application/json', buffer: Buffer.from(file) })
  await page.waitForURL((url) => url.href !== before && url.hash.startsWith('#/runs/'))
}
