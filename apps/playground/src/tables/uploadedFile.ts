import type { Event } from '@interleave/core'

/** Returns the latest file that the user uploaded in a run, which is opened again when the run resumes. */
export function uploadedFile(events: readonly Event[]): string | undefined {
  const forms = new Set(
    events.map((event) => (event?.type === 'asked' && event.ask?.kind === 'form' ? event.ask.id : '')),
  )
  const files = events.map((event) => {
    if (event?.type !== 'replied' || !forms.has(event.ask)) return undefined
    const { file } = Object(event.value) as { file?: unknown }
    return typeof file === 'string' ? file : undefined
  })
  return files.findLast((file) => file !== undefined)
}
