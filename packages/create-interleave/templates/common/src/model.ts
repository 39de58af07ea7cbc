import { scriptedModel } from '@interleave/testing'

/**
 * A demo model: it follows rules, and needs no key. For a real one, run `npm install @ai-sdk/openai@4`. On a server,
 * set `OPENAI_API_KEY`, and write `export const model = openai('gpt-5-mini')`. In a page there is no such variable: for
 * your own machine, write `createOpenAI({ apiKey })('gpt-5-mini')`; everybody who opens the page can read the key.
 */
export const model = scriptedModel(({ prompt }) => {
  const last = prompt.at(-1)
  const text = JSON.stringify(last?.content)
  if (last?.role === 'tool') return `${/Booked[^"]*/.exec(text)?.[0] ?? 'Nothing was booked.'} (I am a demo model.)`
  if (/fail/i.test(text)) throw new Error('The demo model fails if a message says so.')
  if (!/table|book/i.test(text)) return 'I am a demo model, and can only book tables. Say "A table for four, please."'
  const people = Number(/\d+/.exec(text)?.[0] ?? (/four/i.test(text) ? 4 : 2))
  return { text: 'Let me see.', calls: [{ name: 'bookTable', input: { people } }] }
})
