import type { Problem } from '@interleave/config'
import { type Ref, useId } from 'react'

export interface FileTextProps {
  readonly handle: Ref<HTMLTextAreaElement>
  readonly label: string
  readonly text: string
  readonly problems: readonly Problem[]
  readonly describedBy: string
  readonly onWrite: (text: string) => void
}

/** A file to write in. */
export function FileText({ handle, label, text, problems, describedBy, onWrite }: FileTextProps) {
  const field = useId()
  return (
    <>
      <label htmlFor={field}>{label}</label>
      <textarea
        ref={handle}
        id={field}
        className="file-text"
        value={text}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        aria-invalid={problems.length > 0}
        aria-describedby={describedBy}
        onChange={({ target }) => onWrite(target.value)}
      />
    </>
  )
}
