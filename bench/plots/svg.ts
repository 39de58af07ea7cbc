/** The names of the subjects as readers know them. */
const readable: Readonly<Record<string, string>> = {
  floor: 'By hand',
  interleave: 'Interleave',
  'interleave, listened to': 'Interleave, listened to',
  ai: 'AI SDK',
  'ai, throttled': 'AI SDK, throttled to 50 ms',
  'pi-agent-core': 'pi-agent-core',
  tanstack: 'TanStack AI',
  'openai-agents': 'OpenAI Agents',
  langgraph: 'LangGraph',
}
export const nameOf = (subject: string): string => readable[subject] ?? subject

/** Returns the style of a subject: ours stands out, the floor is what all are compared with. */
export function classOf(subject: string): string {
  if (subject.startsWith('interleave')) return 'ours'
  return subject === 'floor' ? 'floor' : 'other'
}

export interface Drawing {
  readonly width: number
  readonly height: number
  /** Read aloud in place of the picture. */
  readonly title: string
  readonly body: readonly string[]
}

// The picture brings its own background, so that it can be read on any page.
const style = `
    .card { fill: #ffffff; stroke: #d9dce1 }
    text { font: 13px system-ui, sans-serif; fill: #333942 }
    .soft { fill: #5b636e; font-size: 12px }
    .rule { stroke: #e3e5e9; stroke-width: 1 }
    .ours { --mark: #5b3fd6; font-weight: 600 }
    .floor { --mark: #7c848f }
    .other { --mark: #c2762c }
    rect.mark, circle { fill: var(--mark) }
    polyline { fill: none; stroke: var(--mark); stroke-width: 2 }
    polyline.ours { stroke-width: 3 }
    @media (prefers-color-scheme: dark) {
      .card { fill: #1c1e22; stroke: #3a3e45 }
      text { fill: #e2e5ea }
      .soft { fill: #a9b0ba }
      .rule { stroke: #33373d }
      .ours { --mark: #a792ff }
      .floor { --mark: #98a1ad }
      .other { --mark: #e09a52 }
    }
  `

export function svg({ width, height, title, body }: Drawing): string {
  const size = `width="${width}" height="${height}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" ${size} role="img">
  <title>${escaped(title)}</title>
  <style>${style}</style>
  <rect class="card" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
${body.map((line) => `  ${line}\n`).join('')}</svg>
`
}

interface Label {
  readonly x: number
  readonly y: number
  readonly kind?: string
  readonly anchor?: 'start' | 'middle' | 'end'
}

export function label(text: string, { x, y, kind = '', anchor = 'start' }: Label): string {
  return `<text class="${kind}" x="${point(x)}" y="${point(y)}" text-anchor="${anchor}">${escaped(text)}</text>`
}

export const point = (value: number): string => String(Number(value.toFixed(1)))

/** A figure with two or three digits. */
export const figure = (value: number): string =>
  value >= 1_000 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(value >= 100 ? 3 : 2)))

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
