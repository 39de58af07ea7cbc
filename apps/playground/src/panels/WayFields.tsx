import type { Price } from '@interleave/core'
import { type ReactNode, useId, useState } from 'react'
import type { Connection, Way } from '../models/index.ts'
import { own } from '../parts/own.ts'
import { LocalServers } from './LocalServers.tsx'

export interface WayFieldsProps {
  readonly way: Way
  readonly connection: Connection
  readonly prices: Readonly<Record<string, Price>>
  /** Whether the page's own server forwards to models. */
  readonly hasProxy: boolean
  /** The models that are there, as far as they were told. */
  readonly models: readonly string[]
}

/** What a way to a model needs to know. */
export function WayFields({ way, connection, prices, hasProxy, models }: WayFieldsProps) {
  const [seen, see] = useState<readonly string[]>([])
  const list = useId()
  if (way.type === 'demo') return null
  const known = connection.type !== 'demo' && connection.type === way.type ? connection : undefined
  return (
    <div className="way-fields">
      {way.type === 'server' && (
        <AddressField way={way} url={known?.type === 'server' ? known.url : undefined} onModels={see} />
      )}
      <Field label="Model">
        {(id) => (
          <input
            id={id}
            className="text-field"
            name="modelId"
            required
            defaultValue={known?.modelId ?? way.modelId}
            placeholder="Name of the model"
            list={list}
          />
        )}
      </Field>
      <datalist id={list}>
        {[...new Set([...models, ...seen])].map((model) => (
          <option key={model} value={model} />
        ))}
      </datalist>
      <Field
        label={way.needsKey ? 'Key' : 'Key, if the server wants one'}
        hint="Kept in the memory of this page only: never in a log, a file, an address or this browser."
      >
        {(id) => (
          <input
            id={id}
            className="text-field"
            name="key"
            type="password"
            autoComplete="off"
            required={way.needsKey}
            defaultValue={known?.key?.reveal()}
          />
        )}
      </Field>
      <PriceFields price={known && own(prices, known.modelId)} />
      {way.needsKey && !hasProxy && (
        <small>
          <input type="hidden" name="direct" value="on" />
          This browser calls the provider: the server of this page forwards nothing.
        </small>
      )}
      {way.needsKey && hasProxy && (
        <label className="way-check">
          <input
            type="checkbox"
            name="direct"
            defaultChecked={known !== undefined && 'route' in known && known.route === 'direct'}
          />
          Call the provider from this browser, not through the local proxy
        </label>
      )}
    </div>
  )
}

interface AddressFieldProps {
  readonly way: Way
  readonly url: string | undefined
  readonly onModels: (models: readonly string[]) => void
}

function AddressField({ way, url, onModels }: AddressFieldProps) {
  const [address, write] = useState(url ?? way.presets[0]?.url ?? '')
  return (
    <>
      <Field label="Address">
        {(id) => (
          <input
            id={id}
            className="text-field"
            name="url"
            type="url"
            required
            value={address}
            onChange={({ target }) => write(target.value)}
          />
        )}
      </Field>
      <LocalServers
        presets={way.presets}
        onChoose={(preset, models) => {
          write(preset)
          onModels(models)
        }}
      />
    </>
  )
}

function Field({ label, hint, children }: { label: string; hint?: string; children: (id: string) => ReactNode }) {
  const id = useId()
  return (
    <div className="way-field">
      <label htmlFor={id}>{label}</label>
      {children(id)}
      {hint && <small>{hint}</small>}
    </div>
  )
}

/** The price that a provider asks changes, so the user says it; without one the cost is left open. */
function PriceFields({ price }: { price: Price | undefined }) {
  const field = { className: 'text-field', type: 'number', min: 0, step: 'any', placeholder: 'optional' } as const
  return (
    <div className="way-prices">
      <Field label="$ per million tokens in">
        {(id) => <input id={id} name="priceIn" defaultValue={price?.input} {...field} />}
      </Field>
      <Field label="and out">{(id) => <input id={id} name="priceOut" defaultValue={price?.output} {...field} />}</Field>
    </div>
  )
}
