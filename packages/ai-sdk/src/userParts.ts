import type { UserContent } from '@interleave/core'
import { demand, fileAdvice, readFilePart } from '@interleave/core/internal'
import type { FileUIPart, TextUIPart, UIMessage } from 'ai'
import { fileUrl } from './turnBlocks.ts'

type Given = Exclude<UserContent, string>[number]

/** A message of the user as a chat shows it. */
export function toUserParts(content: UserContent): (TextUIPart | FileUIPart)[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return content.map((part) => {
    if (part.type === 'text') return { type: 'text', text: part.text }
    const { mediaType, filename, data } = part
    const reference = data.type === 'reference' && { providerReference: data.reference }
    return { type: 'file', mediaType, url: fileUrl(data, mediaType) ?? '', ...(filename && { filename }), ...reference }
  })
}

/** A message of a chat as an agent takes it: its texts and files. Parts of any other kind are for the app. */
export function fromUserParts({ parts }: Pick<UIMessage, 'parts'>): UserContent {
  const given = parts.flatMap((part): Given[] => {
    if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text }]
    return part.type === 'file' ? [fromFile(part)] : []
  })
  demand(given.length > 0, 'A message of a chat needs a text or a file, and this one has neither.')
  const texts = given.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return texts.length === given.length && texts.length === 1 ? texts.join('') : given
}

type FilePart = Extract<Given, { type: 'file' }>

/** A file of a chat as the model interface has it. */
export function fromFile({ mediaType, filename, url, providerReference }: FileUIPart): FilePart {
  // A chat has addresses and data URLs; a bare text would be taken for base64.
  const data = providerReference ?? (typeof url === 'string' && url.includes(':') ? url : undefined)
  const part = readFilePart({ type: 'file', mediaType, data, ...(filename && { filename }) })
  demand(
    part !== undefined,
    `A file of a chat has a \`url\` or \`mediaType\` that no provider could read. Give ${fileAdvice}.`,
  )
  return part as FilePart
}

/** Messages of a chat that may come from a page: throws what is wrong with their shape. */
export function checkMessages(messages: readonly Pick<UIMessage, 'parts'>[]): void {
  demand(Array.isArray(messages), 'The `messages` of a chat must be a list of UI messages: { id, role, parts }.')
  for (const [index, message] of messages.entries()) {
    const parts: unknown = (message as Partial<UIMessage> | null)?.parts
    const fits = Array.isArray(parts) && parts.every((part) => typeof Object(part).type === 'string')
    demand(
      fits,
      `The message ${index} of a chat has no list of \`parts\`, each with a \`type\`. Give UI messages: { id, role, parts }.`,
    )
  }
}
