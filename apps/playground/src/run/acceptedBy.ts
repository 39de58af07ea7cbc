import type { UserContent } from '@interleave/core'
import type { Connection } from '../models/index.ts'

/** A file that goes with a message. */
export type Attachment = Extract<Exclude<UserContent, string>[number], { readonly type: 'file' }>

/** What is larger fits into few models, and not well into the log of a run. */
export const mostBytes = 5_000_000

/** What kinds of files a model takes, as the picker of a browser has them; none where it takes no files. */
export function acceptedBy({ type }: Pick<Connection, 'type'>): string | undefined {
  switch (type) {
    case 'demo':
      return undefined
    case 'server':
      return 'image/*'
    default:
      return 'image/*,application/pdf'
  }
}

/** A file as a message carries it. */
export async function toAttachment(file: File): Promise<Attachment> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  for (let start = 0; start < bytes.length; start += 32_768) {
    text += String.fromCharCode(...bytes.subarray(start, start + 32_768))
  }
  return { type: 'file', filename: file.name, mediaType: file.type, data: { type: 'data', data: btoa(text) } }
}

/** A message with its files. */
export const contentOf = (text: string, files: readonly Attachment[] = []): UserContent =>
  files.length === 0 ? text : [...(text ? [{ type: 'text', text } as const] : []), ...files]
