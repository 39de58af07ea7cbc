/** A key that only `reveal()` returns. JSON, logs and templates do not contain it. */
export interface Secret {
  reveal(): string
  toJSON(): string
  toString(): string
}

/** Wraps a key, so that it is not printed or stored by accident. */
export function secret(value: string): Secret {
  const hidden = (): string => '[hidden]'
  return Object.freeze({ reveal: () => value, toJSON: hidden, toString: hidden })
}

/** A way to reach a model, with everything needed to use it. */
export type Connection = DemoConnection | BuiltInConnection | ServerConnection | CloudConnection

/** A connection over the network. */
export type NetworkConnection = ServerConnection | CloudConnection

export interface DemoConnection {
  readonly type: 'demo'
}

/** The model of the browser itself. */
export interface BuiltInConnection {
  readonly type: 'builtIn'
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

export type WayType = 'demo' | 'builtIn' | 'server' | 'key'

export const cloudUrls: Readonly<Record<CloudName, string>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
}

/** Returns the name of a connection for users. */
export function labelOf(connection: Connection): string {
  if (connection.type === 'demo') return 'Demo planner (rules, no AI)'
  const label = labelOfType(connection.type)
  return connection.type === 'builtIn' ? label : `${label}: ${connection.modelId}`
}

export const labelOfType = (type: Connection['type']): string => labels[type]

const labels: Readonly<Record<Connection['type'], string>> = {
  demo: 'Demo planner',
  builtIn: 'Built into the browser',
  server: 'OpenAI-compatible server',
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google',
}
