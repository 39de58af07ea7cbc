/** The content of an error, whichever library passed it on. */
export interface Symptom {
  readonly status: number | undefined
  /** All messages and bodies, of the error and of its causes. */
  readonly text: string
}

export function symptomOf(error: unknown): Symptom {
  const seen: Readable[] = []
  for (
    let next: unknown = error;
    isReadable(next) && seen.length < 6;
    next = next.cause ?? next.lastError ?? next.error
  ) {
    seen.push(next)
  }
  const status = seen.map(({ statusCode, status: own }) => statusCode ?? own).find((one) => typeof one === 'number')
  const said = seen.flatMap(({ name, code, message, responseBody }) => [name, code, message, responseBody])
  const text = typeof error === 'string' ? error : said.filter((one) => typeof one === 'string').join('\n')
  return { status: typeof status === 'number' ? status : undefined, text }
}

interface Readable {
  readonly name?: unknown
  readonly code?: unknown
  readonly message?: unknown
  readonly status?: unknown
  readonly statusCode?: unknown
  readonly responseBody?: unknown
  readonly cause?: unknown
  readonly lastError?: unknown
  readonly error?: unknown
}

const isReadable = (value: unknown): value is Readable => typeof value === 'object' && value !== null
