/** The position of a value in the examined data. */
export interface Place {
  /** Data of tools, users and providers, whose member names are arbitrary. */
  readonly isData: boolean
  /** A word of the log itself. */
  readonly isOurs: boolean
  /** The member that makes all of it secret. */
  readonly field: string | undefined
}

export const atTop: Place = { isData: false, isOurs: false, field: undefined }
export const inData: Place = { isData: true, isOurs: false, field: undefined }

/** The place of a member. */
export function below({ isData, field }: Place, { key, isSecret }: { key: string; isSecret: boolean }): Place {
  const goesIn = isData || holdsData.has(key)
  return { isData: goesIn, isOurs: !goesIn && ours.has(key), field: field ?? (isSecret ? `field "${key}"` : undefined) }
}

/** Members of events that hold data of others. */
const holdsData: ReadonlySet<string> = new Set([
  'input',
  'proposed',
  'output',
  'value',
  'args',
  'data',
  'headers',
  'providerMetadata',
  'providerOptions',
])
/** Members of events that the log is read by. */
const ours: ReadonlySet<string> = new Set([
  'type',
  'kind',
  'role',
  'by',
  'runId',
  'agent',
  'version',
  'call',
  'of',
  'ask',
  'key',
  'tool',
  'toolName',
  'modelId',
  'provider',
  'limit',
  'code',
  'format',
  'mediaType',
  'unified',
])

/** A cached result for an object. Unchanged objects of a run are the same from one event to the next. */
interface Looked {
  /** Starts another document. Within one, results are not reused, because its secrets are counted. */
  begin(): void
  /** Returns the result for an object in an earlier document, at the same path and with the same known secrets. */
  of(object: object, known: Known): { readonly value: unknown } | undefined
  keep(object: object, known: Known, value: unknown): void
}

/** Everything besides the object that determines its result. */
interface Known {
  readonly place: Place
  /** The number of member names that are known to hold secrets. */
  readonly names: number
  /** The number of known secrets; undefined while secrets are only collected. */
  readonly secrets: number | undefined
}

export function createLooked(): Looked {
  const looked = new WeakMap<object, Known & { readonly piece: number; readonly value: unknown }>()
  let piece = 0
  return {
    begin: () => void piece++,
    of(object, { place, names, secrets }) {
      const before = looked.get(object)
      if (!before || before.piece === piece || before.names !== names || !isSame(before.place, place)) return undefined
      // Whoever only looks for secrets wants to know of none that are known.
      return secrets === undefined || before.secrets === secrets ? before : undefined
    },
    keep: (object, known, value) => void looked.set(object, { ...known, piece, value }),
  }
}

const isSame = (one: Place, other: Place): boolean =>
  one.isData === other.isData && one.isOurs === other.isOurs && one.field === other.field
