import { useRef, useState } from 'react'
import { messageOf } from '../parts/messageOf.ts'
import { bytes } from '../parts/wording.ts'
import { type Attachment, mostBytes, toAttachment } from '../run/Attachment.ts'

/** The files that are to go with the next message. They live as long as the box does, unlike what is written in it. */
export interface Attachments {
  readonly files: readonly File[]
  /** Why a file was not taken. */
  readonly trouble: string | undefined
  add(files: Iterable<File>): void
  remove(file: File): void
  /** Reads them, and begins anew. Undefined where one cannot be read, of which it tells, or where they are being read already. */
  take(): Promise<readonly Attachment[] | undefined>
}

export function useAttachments(accepted: string | undefined): Attachments {
  const [files, keep] = useState<readonly File[]>([])
  const [trouble, tell] = useState<string>()
  const isReading = useRef(false)
  return {
    files,
    trouble,
    add(given) {
      if (!accepted) return
      const all = [...given]
      const fitting = all.filter((file) => file.size <= mostBytes && isAccepted(file, accepted))
      const [other] = all.filter((file) => !fitting.includes(file))
      tell(other && `${other.name} was not taken: ${whyNot(other)}`)
      keep((before) => [...before, ...fitting])
    },
    remove: (file) => keep((before) => before.filter((one) => one !== file)),
    async take() {
      if (isReading.current) return undefined
      isReading.current = true
      try {
        const read = await Promise.all(files.map(toAttachment))
        keep([])
        tell(undefined)
        return read
      } catch (error) {
        tell(`Nothing was sent, since a file cannot be read any more: ${messageOf(error)}`)
        return undefined
      } finally {
        isReading.current = false
      }
    },
  }
}

const isAccepted = ({ type }: File, accepted: string): boolean =>
  accepted.split(',').some((kind) => (kind.endsWith('/*') ? type.startsWith(kind.slice(0, -1)) : type === kind))

const whyNot = ({ size }: File): string =>
  size > mostBytes
    ? `it is larger than ${bytes(mostBytes)}.`
    : 'this model takes pictures, and some take PDF. Paste its text instead.'
