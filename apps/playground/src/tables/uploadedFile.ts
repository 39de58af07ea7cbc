import type { Event } from '@interleave/core'

/** The file that the user gave last in a run, to lie open again when the run is gone on with. */
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
