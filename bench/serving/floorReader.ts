import type { Read, ServedReader } from './servedReader.ts'

/** The least that reads events: lines are cut, and what they carry is parsed. */
export function floorReader(url: string): ServedReader {
  const read = async (path: string, onDelta: (text: string) => void = () => {}): Promise<Read> => {
    const { body } = await fetch(`${url}/floor/${path}`)
    const decoder = new TextDecoder()
    let rest = ''
    let events = 0
    let bytes = 0
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      bytes += chunk.length
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const event = JSON.parse(line.slice('data: '.length))
        events++
        if (event.type === 'delta') onDelta(event.delta)
      }
    }
    return { events, bytes }
  }
  return {
    readLog: (runId) => read(`log?run=${runId}`),
    readDeltas: (prompt, onDelta) => read(`deltas?prompt=${encodeURIComponent(prompt)}`, onDelta),
    readPaced: (onDelta) => read('paced', onDelta),
  }
}
