import type { UserContent } from '@interleave/core'
import type { ReactNode } from 'react'
import { FileView } from '../parts.tsx'

export interface FileListProps {
  readonly content: UserContent
}

/** Shows the files of a message: images themselves, other files by name. Never loads a file from another address. */
export function FileList({ content }: FileListProps): ReactNode {
  if (typeof content === 'string') return null
  const files = content.filter((part) => part.type === 'file')
  if (files.length === 0) return null
  return (
    <ul data-interleave="files" aria-label="Files">
      {files.map((file, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the files of a message never move.
        <li key={index}>
          <FileView name={file.filename ?? file.mediaType} address={imageOf(file)} />
        </li>
      ))}
    </ul>
  )
}

type FilePart = Extract<Exclude<UserContent, string>[number], { readonly type: 'file' }>

/** Returns an address for an image that the message itself contains. */
function imageOf({ mediaType, data }: FilePart): string | undefined {
  if (!mediaType.startsWith('image') || data.type !== 'data' || typeof data.data !== 'string') return undefined
  const type = mediaType.includes('/') && !mediaType.endsWith('*') ? mediaType : 'image/png'
  return `data:${type};base64,${data.data}`
}
