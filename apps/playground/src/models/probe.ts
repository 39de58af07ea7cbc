import { builtIn } from './builtIn.ts'
import { type Connection, cloudUrls, type NetworkConnection } from './connections.ts'
import { type Place, routeOf } from './createModel.ts'
import { type Diagnosis, diagnose, diagnosisOf } from './diagnose.ts'

/** The result of a test of a connection: the models that are there, or the fault. */
export type Probe =
  | { readonly ok: true; readonly models: readonly string[] }
  | { readonly ok: false; readonly diagnosis: Diagnosis }

export interface ProbeOptions extends Place {
  /** Milliseconds to wait for an answer; 8,000 by default. */
  readonly timeoutMs?: number
}

/** Requests the list of models: it costs nothing, and shows most of the possible faults. */
export async function probe(
  connection: Connection,
  { timeoutMs = 8_000, ...place }: ProbeOptions = {},
): Promise<Probe> {
  if (connection.type === 'demo') return { ok: true, models: ['rule-based'] }
  if (connection.type === 'builtIn') return probeBuiltIn(connection)
  const ask = place.fetch ?? globalThis.fetch
  const { baseURL, headers } = routeOf(connection, place)
  try {
    const response = await ask(`${baseURL}/models`, {
      headers: { ...headers, ...keyHeaders(connection) },
      signal: AbortSignal.timeout(timeoutMs),
    })
    const body = await response.text()
    if (!response.ok)
      return wrong(diagnose({ statusCode: response.status, responseBody: body, message: messageIn(body) }, connection))
    return judge(body, connection)
  } catch (error) {
    const hidden = await isOriginRefused(connection, { ask, timeoutMs })
    return wrong(hidden ? diagnosisOf('origin', { connection }) : diagnose(error, connection))
  }
}

async function probeBuiltIn(connection: Connection): Promise<Probe> {
  const detail = await (await builtIn()).availability()
  return detail === 'available' ? { ok: true, models: [] } : wrong(diagnosisOf('unknown', { connection, detail }))
}

const wrong = (diagnosis: Diagnosis): Probe => ({ ok: false, diagnosis })

function judge(body: string, connection: NetworkConnection): Probe {
  const models = modelsIn(body)
  if (!models) return wrong(diagnosisOf('format', { connection, detail: body }))
  const isThere =
    models.length === 0 ||
    models.some((model) => model === connection.modelId || model === `${connection.modelId}:latest`)
  return isThere || connection.modelId === ''
    ? { ok: true, models }
    : wrong(diagnosisOf('model', { connection, detail: `There are: ${models.join(', ')}` }))
}

function modelsIn(body: string): string[] | undefined {
  const parsed = parse(body) as { data?: unknown; models?: unknown } | undefined
  const list = parsed?.data ?? parsed?.models
  if (!Array.isArray(list)) return undefined
  const names = list.map((model: { id?: unknown; name?: unknown }) => model?.id ?? model?.name)
  return names.filter((name) => typeof name === 'string').map((name) => name.replace(/^models\//, ''))
}

/** The text of an error body, whichever of the usual forms it has. */
function messageIn(body: string): string {
  const parsed = parse(body) as { error?: { message?: unknown } | string; message?: unknown } | undefined
  const error = parsed?.error
  return String((typeof error === 'string' ? error : error?.message) ?? parsed?.message ?? '')
}

function parse(body: string): unknown {
  try {
    const parsed: unknown = JSON.parse(body)
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined
  } catch {
    return undefined
  }
}

function keyHeaders(connection: NetworkConnection): Record<string, string> {
  const key = connection.key?.reveal()
  if (!key) return {}
  if (connection.type === 'anthropic') return { 'x-api-key': key, 'anthropic-version': '2023-06-01' }
  return connection.type === 'google' ? { 'x-goog-api-key': key } : { authorization: `Bearer ${key}` }
}

interface Probing {
  readonly ask: typeof globalThis.fetch
  readonly timeoutMs: number
}

/** A browser hides why a request failed. A request that reads no response still reaches a server that is up. */
async function isOriginRefused(connection: NetworkConnection, { ask, timeoutMs }: Probing): Promise<boolean> {
  if (connection.type === 'server' || connection.route === 'proxy') return false
  try {
    await ask(cloudUrls[connection.type], { mode: 'no-cors', signal: AbortSignal.timeout(timeoutMs) })
    return true
  } catch {
    return false
  }
}
