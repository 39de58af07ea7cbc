import type { Json } from '@interleave/core'
import { type ReactNode, useState } from 'react'
import { Button } from '../parts.tsx'
import { plainJson } from '../untrusted/segmentsOf.ts'
import { UntrustedText } from '../untrusted/UntrustedText.tsx'
import { useSay } from '../words/words.tsx'
import { itemsOf, labelOf } from './fieldKind.ts'
import { type FieldSchema, withoutNull } from './fieldSchema.ts'

interface ValueViewProps {
  readonly value: Json
  /** Its schema, for the labels that its form has too. */
  readonly schema?: FieldSchema
  readonly depth?: number
}

const deepest = 5

/** Shows a value for a decision: every member, nothing hidden; long values are cut until the user expands them. */
export function ValueView({ value, schema = {}, depth = 0 }: ValueViewProps): ReactNode {
  const say = useSay()
  if (typeof value === 'string' && value) return <UntrustedText>{value}</UntrustedText>
  if (typeof value === 'string') return <em>{say('emptyText')}</em>
  if (typeof value === 'boolean') return <code>{say(value ? 'yes' : 'no')}</code>
  if (typeof value !== 'object' || value === null) return <code>{String(value)}</code>
  if (depth > deepest) return <UntrustedText>{plainJson(value)}</UntrustedText>
  if (Object.keys(value).length === 0) return <em>{say(Array.isArray(value) ? 'emptyList' : 'nothing')}</em>
  return <Members value={value} schema={schema} depth={depth} />
}

const mostAtFirst = 20

/** Shows the members of an object or a list; only the first ones until the user expands it. */
function Members({ value, schema, depth }: Required<ValueViewProps> & { readonly value: object }): ReactNode {
  const say = useSay()
  const [showsAll, showAll] = useState(false)
  const all = Object.entries(value as Readonly<Record<string, Json>>)
  const shown = showsAll ? all : all.slice(0, mostAtFirst)
  const isList = Array.isArray(value)
  const views = shown.map(([key, member]) => {
    const of = withoutNull(isList ? itemsOf(schema) : (ownSchema(schema, key) ?? {})).schema
    return [key, <ValueView key={key} value={member} schema={of} depth={depth + 1} />] as const
  })
  return (
    <>
      {isList ? (
        <ol data-interleave="values">
          {views.map(([key, view]) => (
            <li key={key}>{view}</li>
          ))}
        </ol>
      ) : (
        <dl data-interleave="value">
          {views.map(([key, view]) => (
            <div key={key}>
              <dt title={key}>
                <UntrustedText limit={80}>{nameOf(schema, key)}</UntrustedText>
              </dt>
              <dd>{view}</dd>
            </div>
          ))}
        </dl>
      )}
      {all.length > shown.length && (
        <Button part="more" onClick={() => showAll(true)}>
          {say('showMore', { count: all.length - shown.length })}
        </Button>
      )}
    </>
  )
}

const ownSchema = ({ properties = {} }: FieldSchema, key: string): FieldSchema | undefined =>
  Object.hasOwn(properties, key) ? properties[key] : undefined

/** Returns the label of a member, as its form has it. A member that the schema does not describe has its key alone. */
export function nameOf(schema: FieldSchema, key: string): string {
  const own = ownSchema(schema, key)
  return own
    ? labelOf({ schema: withoutNull(own).schema, path: `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}` })
    : key
}
