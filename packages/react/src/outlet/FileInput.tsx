import { type ReactNode, useState } from 'react'
import { UntrustedText } from '../untrusted/UntrustedText.tsx'
import type { InputProps } from './InputProps.ts'

/** A file to pick. Its text is read when the form is sent. */
export function FileInput({ schema, ...field }: InputProps): ReactNode {
  const [file, setFile] = useState<File>()
  const { contentMediaType = '' } = schema
  return (
    <>
      <input
        {...field}
        type="file"
        accept={acceptOf(contentMediaType)}
        onChange={(event) => setFile(event.currentTarget.files?.[0])}
      />
      <output htmlFor={field.id} data-interleave="file">
        {file && (
          <>
            <UntrustedText limit={120}>{file.name}</UntrustedText> ({sizeOf(file)})
          </>
        )}
      </output>
    </>
  )
}

/** Systems that do not know a media type go by the ending of the name. */
function acceptOf(mediaType: string): string {
  const ending = mediaType.split('/')[1]?.match(/^\w+$/)?.[0]
  return ending && ending !== 'plain' ? `${mediaType},.${ending}` : mediaType
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

function sizeOf({ size }: File): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(size, 1)) / 3), units.length - 1)
  const unit = units[power] ?? 'byte'
  // The short word has no plural.
  const unitDisplay = unit === 'byte' ? 'long' : 'short'
  const format = new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 })
  return format.format(size / 1000 ** power)
}
