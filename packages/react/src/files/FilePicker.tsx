import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button, FileView } from '../parts.tsx'
import { UntrustedText } from '../untrusted/UntrustedText.tsx'
import { useSay } from '../words/words.tsx'
import type { Files } from './useFiles.ts'

export interface FilePickerProps {
  /** The files of `useFiles()`. */
  readonly files: Files
  /** The label of the button. */
  readonly label?: string
  readonly className?: string
}

/**
 * A button to pick files, and the files that were picked, dropped or pasted: each can be removed. Images are shown.
 *
 * @example
 * const files = useFiles({ accept: 'image/*' })
 * return <form {...files.dropProps}><FilePicker files={files} /></form>
 */
export function FilePicker({ files, label: given, className }: FilePickerProps): ReactNode {
  const say = useSay()
  const label = given ?? say('attachFiles')
  const input = useRef<HTMLInputElement>(null)
  return (
    <div data-interleave="attached" data-dropping={files.isDropping || undefined} className={className}>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={files.accept}
        aria-label={label}
        onChange={({ target }) => {
          files.add(target.files ?? [])
          // The same file may be picked again.
          target.value = ''
        }}
      />
      <Button onClick={() => input.current?.click()}>{label}</Button>
      {files.files.length > 0 && (
        <ul data-interleave="files" aria-label={say('attachedFiles')}>
          {files.files.map((file) => (
            <li key={keyOf(file)}>
              <Preview file={file} />
              <Button aria-label={say('removeNamed', { item: file.name })} onClick={() => files.remove(file)}>
                {say('removeItem')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <p role="status" data-interleave="preparing">
        {files.isPreparing && say('preparingFiles')}
      </p>
      <p role="alert" data-interleave="reason">
        {files.problem && <UntrustedText>{files.problem}</UntrustedText>}
      </p>
    </div>
  )
}

const keys = new WeakMap<File, number>()
let lastKey = 0

/** Returns a distinct key for a file: two files may have the same name and time. */
function keyOf(file: File): number {
  const key = keys.get(file) ?? ++lastKey
  keys.set(file, key)
  return key
}

/** An image, or the name of a file. */
function Preview({ file }: { readonly file: File }): ReactNode {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    // jsdom has no addresses of files.
    const { createObjectURL }: Partial<typeof URL> = URL
    if (!file.type.startsWith('image/') || !createObjectURL) return
    const url = URL.createObjectURL(file)
    setAddress(url)
    return () => URL.revokeObjectURL(url)
  }, [file])
  return <FileView name={file.name} address={address} />
}
