import type { RestateModule } from '@interleave/restate'
import type * as restate from '@restatedev/restate-sdk'

/** An SDK that counts what handlers of objects await of it. */
export interface CountedSdk {
  readonly sdk: RestateModule
  /** The maximum number of the SDK's promises that an invocation awaited at the same time, by the names of handlers. */
  readonly most: ReadonlyMap<string, number>
}

type Handler = (ctx: object, input: unknown) => Promise<unknown>
type Definition = Parameters<typeof restate.object>[0]
type Shared = Parameters<typeof restate.handlers.object.shared>

export function countAwaits(sdk: typeof restate): CountedSdk {
  const most = new Map<string, number>()
  const counted = (name: string, handler: Handler): Handler => {
    most.set(name, 0)
    return (ctx, input) => {
      let open = 0
      const change = (by: number): void => {
        open += by
        most.set(name, Math.max(most.get(name) ?? 0, open))
      }
      return handler(countedContext(ctx, change), input)
    }
  }
  const shared = new Set<unknown>()
  return {
    most,
    sdk: {
      ...sdk,
      object(definition: Definition) {
        const handlers = Object.entries(definition.handlers).map(([name, handler]) => [
          name,
          shared.has(handler) ? handler : counted(name, handler as Handler),
        ])
        return sdk.object({ ...definition, handlers: Object.fromEntries(handlers) })
      },
      handlers: {
        ...sdk.handlers,
        object: {
          ...sdk.handlers.object,
          /** Takes a handler, with options before it, or without. */
          shared(...given: readonly unknown[]) {
            const handler = given.at(-1) as Handler
            const all = [...given.slice(0, -1), counted(handler.name, handler)]
            const made = sdk.handlers.object.shared(...(all as unknown as Shared))
            shared.add(made)
            return made
          },
        },
      },
      RestatePromise: { ...sdk.RestatePromise, race: raceOf(sdk) },
    } as RestateModule,
  }
}

type Change = (by: number) => void

/** The methods whose promises take part in the journal. */
const waits: readonly PropertyKey[] = ['get', 'stateKeys', 'run', 'sleep', 'signal']

/** The counted objects, by their wrappers. */
const counts = new WeakMap<object, { readonly promise: restate.RestatePromise<unknown>; readonly change: Change }>()

const countedContext = (ctx: object, change: Change): object =>
  new Proxy(ctx, {
    get(target, name) {
      const value = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => {
        const result = value.apply(target, given)
        if (waits.includes(name)) return countedPromise(result, change)
        return name === 'awakeable' ? { ...result, promise: countedPromise(result.promise, change) } : result
      }
    },
  })

/** Several in one await. */
const raceOf =
  (sdk: typeof restate) =>
  (promises: readonly object[]): object => {
    const known = promises.map((promise) => counts.get(promise))
    const all = known.map(
      (each) => each?.promise ?? sdk.RestatePromise.reject(new sdk.TerminalError('This one is not counted.')),
    )
    return countedPromise(sdk.RestatePromise.race(all), known[0]?.change ?? (() => {}))
  }

/** Wraps a promise, which counts from its first `await` until it settles. */
function countedPromise(promise: restate.RestatePromise<unknown>, change: Change): object {
  const then = (done?: (value: unknown) => unknown, failed?: (error: unknown) => unknown): Promise<unknown> => {
    change(1)
    return promise.then(
      (value) => {
        change(-1)
        return done ? done(value) : value
      },
      (error) => {
        change(-1)
        if (failed) return failed(error)
        throw error
      },
    )
  }
  const counted = {
    then,
    catch: (failed: (error: unknown) => unknown) => then(undefined, failed),
    map: (mapper: Parameters<typeof promise.map>[0]) => countedPromise(promise.map(mapper), change),
    orTimeout: (ms: number) => countedPromise(promise.orTimeout(ms), change),
  }
  counts.set(counted, { promise, change })
  return counted
}
