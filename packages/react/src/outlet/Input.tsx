import { type ReactNode, useState } from 'react'
import { plainJson, plainText } from '../untrusted/segmentsOf.ts'
import { UntrustedText } from '../untrusted/UntrustedText.tsx'
import { Phrase, useSay, useWords } from '../words/words.tsx'
import { fieldKind, optionsOf } from './fieldKind.ts'
import type { FieldSchema } from './fieldSchema.ts'

/** Renders the native input for one simple value, or a text area for JSON. */
export function Input({ schema, ...field }: InputProps): ReactNode {
  const { default: preset, format = '', minLength, maxLength } = schema
  const defaultValue = preset === undefined ? undefined : String(preset)
  switch (fieldKind(schema)) {
    case 'boolean':
      return <input {...field} required={false} type="checkbox" defaultChecked={preset === true} />
    case 'choice':
      return <Select schema={schema} {...field} />
    case 'file':
      return <FileInput schema={schema} {...field} />
    case 'number': {
      const { minimum: min, maximum: max, type, multipleOf } = schema
      const step = multipleOf ?? (type === 'integer' ? 1 : 'any')
      return <input {...field} type="number" {...{ min, max, step, defaultValue }} />
    }
    case 'text': {
      const type = Object.hasOwn(inputTypes, format) ? inputTypes[format] : 'text'
      return <input {...field} type={type} autoComplete="off" {...{ minLength, maxLength, defaultValue }} />
    }
    case 'lines':
      return <textarea {...field} rows={4} {...{ minLength, maxLength, defaultValue }} />
    default: {
      const json = preset === undefined ? undefined : plainJson(preset)
      return <textarea {...field} data-interleave="json" rows={4} spellCheck={false} defaultValue={json} />
    }
  }
}

const inputTypes: Readonly<Record<string, string>> = {
  date: 'date',
  'date-time': 'datetime-local',
  time: 'time',
  email: 'email',
  uri: 'url',
  url: 'url',
  password: 'password',
}

function Select({ schema, ...field }: InputProps): ReactNode {
  const say = useSay()
  const options = optionsOf(schema)
  const preset = options.findIndex(({ value }) => value === schema.default)
  return (
    <select {...field} defaultValue={preset < 0 ? '' : preset}>
      <option value="">{field.required ? say('pick') : '–'}</option>
      {options.map(({ label }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: options never move, and may have the same label.
        <option key={index} value={index}>
          {plainText(label).slice(0, 200)}
        </option>
      ))}
    </select>
  )
}

/** Renders a file picker. The file is read when the form is submitted. */
function FileInput({ schema, ...field }: InputProps): ReactNode {
  const [file, setFile] = useState<File>()
  const { contentMediaType = '' } = schema
  const say = useSay()
  const { locale } = useWords()
  return (
    <>
      <input
        {...field}
        type="file"
        accept={acceptOf(contentMediaType)}
        onChange={(event) => setFile(event.currentTarget.files?.[0])}
      />
      <output htmlFor={field.id} data-interleave="file">
        {file ? (
          <Phrase
            of="fileOfSize"
            file={<UntrustedText limit={120}>{file.name}</UntrustedText>}
            size={sizeOf(file, locale)}
          />
        ) : (
          say('dropFile')
        )}
      </output>
    </>
  )
}

/** Adds the file extension, for systems that do not know the media type. */
function acceptOf(mediaType: string): string {
  const ending = mediaType.split('/')[1]?.match(/^\w+$/)?.[0]
  return ending && ending !== 'plain' ? `${mediaType},.${ending}` : mediaType
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

function sizeOf({ size }: File, locale: string): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(size, 1)) / 3), units.length - 1)
  const unit = units[power] ?? 'byte'
  // The short unit of bytes has no plural.
  const unitDisplay = unit === 'byte' ? 'long' : 'short'
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 })
  return format.format(size / 1000 ** power)
}

/** The props of every input of a form. */
interface InputProps {
  readonly schema: FieldSchema
  readonly id: string
  readonly name: string
  readonly required: boolean
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}
