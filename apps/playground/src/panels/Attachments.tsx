import { Paperclip, X } from 'lucide-react'
import { useRef } from 'react'
import { bytes } from '../parts/wording.ts'
import type { Attachments } from './useAttachments.ts'

/** The files that go with the next message. */
export function AttachmentList({ attachments: { files, trouble, remove } }: { attachments: Attachments }) {
  return (
    <>
      {files.length > 0 && (
        <ul className="attachments" aria-label="Attached files">
          {files.map((file) => (
            <li key={`${file.name} ${file.lastModified}`}>
              <Paperclip aria-hidden />
              <span dir="auto">{file.name}</span>
              <small>{bytes(file.size)}</small>
              <button
                type="button"
                className="icon-button"
                aria-label={`Remove ${file.name}`}
                onClick={() => remove(file)}
              >
                <X aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
      <p role="status" className="attachment-trouble">
        {trouble}
      </p>
    </>
  )
}

/** Picks files to attach. They can be pasted, too. */
export function AttachButton({ accepted, attachments }: { accepted: string; attachments: Attachments }) {
  const picker = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        accept={accepted}
        aria-label="Files to attach"
        onChange={({ target }) => {
          attachments.add(target.files ?? [])
          // The same file may be picked again.
          target.value = ''
        }}
      />
      <button
        type="button"
        className="icon-button"
        aria-label="Attach files"
        title="Attach files"
        onClick={() => picker.current?.click()}
      >
        <Paperclip aria-hidden />
      </button>
    </>
  )
}
