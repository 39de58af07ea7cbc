import type { Event, Host } from '@interleave/core'
import { fold, type ModelRequest } from '@interleave/core/observe'

/** A place that writes down what models are asked with, by the key of the effect. */
export function listeningIn(host: Host) {
  const requests = new Map<string, ModelRequest | undefined>()
  const perform: Host['perform'] = (effect, body) => {
    if (effect.kind === 'model') requests.set(effect.key, structuredClone(effect.request))
    return body()
  }
  return { host: { ...host, perform }, requests }
}

/** The effect that wrote an event, if a model did. */
export function effectOf(event: Event, events: readonly Event[]): string | undefined {
  if (event.type === 'noted') return event.key.startsWith('consult/') ? event.key : undefined
  if (event.type !== 'thought') return undefined
  return `${fold(events.filter(({ seq }) => seq < event.seq)).iteration + 1}/model`
}
