import type { Price } from '@interleave/core'
import { type ReactNode, useId, useState } from 'react'
import type { Connection, Way } from '../models/index.ts'

export interface WayFieldsProps {
  readonly way: Way
  readonly connection: Connection
  readonly prices: Readonly<Record<string, Price>>
}

/** What a way to a model needs to know. */
export function WayFields({ way, connection, prices }: WayFieldsProps) {
  if (way.type === 'demo') return null
  const known = connection.type !== 'demo' && connection.type === way.type ? connection : undefined
  return (
    <div className="way-fields">
      {way.type === 'server' && <AddressField way={way} url={known?.type === 'server' ? known.url : undefined} />}
      <Field label="Model">
        {(id) => (
          <input
            id={id}
            name="modelId"
            required
            defaultValue={known?.modelId ?? way.modelId}
            placeholder="Name of the model"
          />
        )}
      </Field>
      <Field
        label={way.needsKey ? 'Key' : 'Key, if the server wants one'}
        hint="Kept in memory until the page is closed."
      >
        {(id) => (
          <input
            id={id}
            name="key"
            type="password"
            autoComplete="off"
            required={way.needsKey}
            defaultValue={known?.key?.reveal()}
          />
        )}
      </Field>
      <PriceFields price={known && prices[known.modelId]} />
      {way.needsKey && (
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

function AddressField({ way, url }: { way: Way; url: string | undefined }) {
  const [address, write] = useState(url ?? way.presets[0]?.url ?? '')
  return (
    <>
      <Field label="Address">
        {(id) => (
          <input
            id={id}
            name="url"
            type="url"
            required
            value={address}
            onChange={({ target }) => write(target.value)}
          />
        )}
      </Field>
      <p className="way-presets">
        {way.presets.map((preset) => (
          <button key={preset.label} type="button" className="button" onClick={() => write(preset.url)}>
            {preset.label}
          </button>
        ))}
      </p>
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
  const field = { type: 'number', min: 0, step: 'any', placeholder: 'optional' } as const
  return (
    <div className="way-prices">
      <Field label="$ per million tokens in">
        {(id) => <input id={id} name="priceIn" defaultValue={price?.input} {...field} />}
      </Field>
      <Field label="and out">{(id) => <input id={id} name="priceOut" defaultValue={price?.output} {...field} />}</Field>
    </div>
  )
}
