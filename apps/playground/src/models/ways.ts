import { type CloudName, type Connection, labelOfType, type WayType } from './connections.ts'
import type { Probe } from './probe.ts'

/** An entry in the list of models to choose from. `key`: a provider that the user has a key of. */
export interface Way {
  readonly type: WayType
  readonly label: string
  readonly note: string
  readonly presets: readonly Preset[]
}

/** A provider, and the model that is asked if the user names none. */
export interface Cloud {
  readonly type: CloudName
  readonly label: string
  readonly modelId: string
}

export interface Preset {
  readonly label: string
  readonly url: string
}

/** The ways that need nothing come first. */
export const ways: readonly Way[] = [
  { type: 'demo', label: labelOfType('demo'), note: 'Rules, no AI. Needs no key and no network.', presets: [] },
  {
    type: 'builtIn',
    label: labelOfType('builtIn'),
    note: 'A model on this device. Needs no key; nothing leaves the device.',
    presets: [],
  },
  {
    type: 'server',
    label: labelOfType('server'),
    note: 'A model on this machine, through the local proxy.',
    presets: [
      { label: 'Ollama', url: 'http://127.0.0.1:11434/v1' },
      { label: 'LM Studio', url: 'http://127.0.0.1:1234/v1' },
      { label: 'llama.cpp', url: 'http://127.0.0.1:8080/v1' },
    ],
  },
  {
    type: 'key',
    label: 'Your own key',
    note: 'OpenAI, Anthropic or Google. In memory, or encrypted with your passkey.',
    presets: [],
  },
]

export const clouds: readonly Cloud[] = [
  { type: 'openai', label: labelOfType('openai'), modelId: 'gpt-5-mini' },
  { type: 'anthropic', label: labelOfType('anthropic'), modelId: 'claude-haiku-4-5' },
  { type: 'google', label: labelOfType('google'), modelId: 'gemini-2.5-flash' },
]

/** The way that a connection goes. */
export const wayTypeOf = ({ type }: Pick<Connection, 'type'>): WayType =>
  type === 'demo' || type === 'builtIn' || type === 'server' ? type : 'key'

/** Recognizes the provider of a key by how it begins. Undefined if it may be of any. */
export function cloudOfKey(key: string): CloudName | undefined {
  const begins = (prefix: string): boolean => key.trim().startsWith(prefix)
  if (begins('sk-ant-')) return 'anthropic'
  if (begins('AIza') || begins('AQ.')) return 'google'
  return begins('sk-') ? 'openai' : undefined
}

/** The state of a way to a model, as far as it is known. */
export interface WayState {
  readonly words: string
  readonly tone: 'good' | 'bad' | 'open'
}

interface WayFacts {
  /** The connection that the page uses. */
  readonly connection: Connection
  /** The result of the test of this way. */
  readonly probe: Probe | 'asking' | undefined
}

/** Returns in a word or two whether a model can be used by a way. */
export function wayState({ type }: Pick<Way, 'type'>, { connection, probe }: WayFacts): WayState {
  if (type === 'demo') return { words: 'ready', tone: 'good' }
  if (probe === 'asking') return { words: 'checking …', tone: 'open' }
  if (probe) return probe.ok ? { words: 'ready', tone: 'good' } : wrong(probe.diagnosis.problem)
  const isUsed = wayTypeOf(connection) === type
  if (type === 'key' && !(isUsed && 'key' in connection && connection.key?.reveal()))
    return { words: 'needs a key', tone: 'open' }
  return { words: isUsed ? 'in use, not checked' : 'not checked', tone: 'open' }
}

const wrong = (problem: string): WayState => ({
  words:
    problem === 'key' ? 'key refused' : ['unreachable', 'network'].includes(problem) ? 'not reachable' : 'not ready',
  tone: 'bad',
})
