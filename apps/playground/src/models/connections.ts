import type { Secret } from './secret.ts'

/** A way to reach a model, with everything needed to use it. */
export type Connection = DemoConnection | ServerConnection | CloudConnection

export interface DemoConnection {
  readonly type: 'demo'
}

/** A server that speaks the protocol of OpenAI, through the proxy of the page's own server. */
export interface ServerConnection {
  readonly type: 'server'
  /** The address that ends in `/v1`. */
  readonly url: string
  readonly modelId: string
  readonly key?: Secret
}

export interface CloudConnection {
  readonly type: CloudName
  readonly modelId: string
  readonly key: Secret
  /** From this browser to the provider, or through the proxy of the page's own server. */
  readonly route: 'direct' | 'proxy'
}

export type CloudName = 'openai' | 'anthropic' | 'google'

/** What to offer in a list of ways to reach a model. */
export interface Way {
  readonly type: Connection['type']
  readonly label: string
  readonly note: string
  readonly presets: readonly Preset[]
  readonly needsKey: boolean
  /** What to put into the field for the model at first. */
  readonly modelId: string
}

export interface Preset {
  readonly label: string
  readonly url: string
}

/** In the order in which to offer them: what needs nothing comes first. */
export const ways: readonly Way[] = [
  {
    type: 'demo',
    label: 'Demo planner',
    note: 'Rules, no AI. Needs no key and no network.',
    presets: [],
    needsKey: false,
    modelId: 'rule-based',
  },
  {
    type: 'server',
    label: 'OpenAI-compatible server',
    note: 'A model on this machine, through the local proxy.',
    presets: [
      { label: 'Ollama', url: 'http://127.0.0.1:11434/v1' },
      { label: 'LM Studio', url: 'http://127.0.0.1:1234/v1' },
      { label: 'llama.cpp', url: 'http://127.0.0.1:8080/v1' },
    ],
    needsKey: false,
    modelId: '',
  },
  cloudWay('openai', { label: 'OpenAI', modelId: 'gpt-5-mini' }),
  cloudWay('anthropic', { label: 'Anthropic', modelId: 'claude-haiku-4-5' }),
  cloudWay('google', { label: 'Google', modelId: 'gemini-2.5-flash' }),
]

function cloudWay(type: CloudName, { label, modelId }: { label: string; modelId: string }): Way {
  const note = 'With your own key, which stays in the memory of this page.'
  return { type, label, note, presets: [], needsKey: true, modelId }
}

export const cloudUrls: Readonly<Record<CloudName, string>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
}

/** The name of a connection as people read it. */
export const labelOf = (connection: Connection): string =>
  connection.type === 'demo' ? 'Demo planner (rules, no AI)' : `${labelOfType(connection.type)}: ${connection.modelId}`

export const labelOfType = (type: Connection['type']): string => ways.find((way) => way.type === type)?.label ?? type
