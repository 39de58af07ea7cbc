import path from 'node:path'
import { hasData, readBytes } from './data.ts'

export const manifestFile = path.join('sse', 'manifest.json')

/** The index of the recorded provider streams. */
export interface Manifest {
  readonly captures: readonly Capture[]
  /** Loops of several requests: the captures that answered them, in order. */
  readonly scenarios: readonly { readonly id: string; readonly steps: readonly string[] }[]
  readonly errors: readonly RecordedError[]
}

/** The provider, and the interface of it. */
export interface Origin {
  readonly provider: string
  readonly api: string
  readonly model?: string | null
}
export interface Capture extends Origin {
  readonly id: string
  readonly file: string
  /** `sse`: the bytes as they came. `json-lines`: their data alone, one event per line. */
  readonly framing: string
  readonly request?: { readonly tools?: readonly string[] | null } | null
  readonly expect: Expected
  /** `false`: the independent reader and the AI SDK differ, so the row is reported and not judged. */
  readonly agreed?: boolean
}
/** The result of an independent reader for a capture. */
export interface Expected {
  readonly text: string
  readonly reasoning_length: number
  /** The first characters of it. */
  readonly reasoning_sha1: string | null
  readonly tool_calls: readonly {
    readonly id: string | null
    readonly name: string
    readonly arguments_raw: string
  }[]
  readonly finish: string | null
  readonly error: unknown
  readonly provider_tools: readonly string[]
}
/** The body of a failed request. */
export interface RecordedError extends Origin {
  readonly file: string
  readonly status: number
  readonly content_type?: string | null
}

export function readManifest(): Manifest {
  const {
    captures = [],
    scenarios = [],
    errors = [],
  } = hasData(manifestFile) ? (JSON.parse(readBytes(manifestFile).toString('utf8')) as Partial<Manifest>) : {}
  return { captures, scenarios, errors }
}

export const bodyOfError = ({ file }: RecordedError): Buffer => readBytes(path.join('sse', file))

/** The body of a capture as its server sent it. */
export function bodyOf({ file, framing, api }: Capture): Buffer {
  const recorded = readBytes(path.join('sse', file))
  if (framing !== 'json-lines') return recorded
  const lines = recorded.toString('utf8').split('\n')
  const events = lines.filter((line) => line.trim() !== '').map((line) => toEvent(line, api))
  return Buffer.from(events.join('') + (api === 'chat' ? 'data: [DONE]\n\n' : ''))
}

/** These interfaces name the event besides its data. */
const namesEvents = new Set(['anthropic', 'responses', 'cohere'])

function toEvent(line: string, api: string): string {
  const type = namesEvents.has(api) ? typeOf(line) : undefined
  return `${type ? `event: ${type}\n` : ''}data: ${line}\n\n`
}

function typeOf(line: string): string | undefined {
  try {
    const { type } = JSON.parse(line) as { type?: unknown }
    return typeof type === 'string' ? type : undefined
  } catch {
    return undefined
  }
}
