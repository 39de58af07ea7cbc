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
