import type { FileUIPart, TextUIPart, UIMessage } from 'ai'
import { demand } from '../demand.ts'
import type { UserContent } from '../part.ts'
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

/** A file of a chat as the model interface has it. */
export function fromFile({
  mediaType,
  filename,
  url,
  providerReference,
}: FileUIPart): Extract<Given, { type: 'file' }> {
  const data = providerReference ? ({ type: 'reference', reference: providerReference } as const) : dataOf(url)
  return { type: 'file', mediaType, data, ...(filename && { filename }) }
}

function dataOf(url: string): Extract<Given, { type: 'file' }>['data'] {
  const [, isBase64, data = ''] = /^data:[^,]*?(;base64)?,(.*)$/s.exec(url) ?? []
  if (!url.startsWith('data:')) return { type: 'url', url: new URL(url) }
  return isBase64 ? { type: 'data', data } : { type: 'text', text: decodeURIComponent(data) }
}
