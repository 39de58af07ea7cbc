import type { Price } from '@interleave/core'
import { type ComponentProps, type ReactNode, useId } from 'react'

/** A field of the form for a model, with its label. */
export function WayField({
  label,
  hint,
  children,
}: {
  label: string
  hint?: string
  children: (id: string) => ReactNode
}) {
  const id = useId()
  return (
    <div className="way-field">
      <label htmlFor={id}>{label}</label>
      {children(id)}
      {hint && <small>{hint}</small>}
    </div>
  )
}

/** A secret key, which the browser neither shows nor fills in. */
export function KeyField({ label, ...field }: { label: string } & ComponentProps<'input'>) {
  return (
    <WayField label={label}>
      {(id) => <input id={id} className="text-field" name="key" type="password" autoComplete="off" {...field} />}
    </WayField>
  )
}

interface ModelFieldProps {
  /** The model at first. */
  readonly modelId: string
  /** The models that are there, as far as they are known. */
  readonly models: readonly string[]
}

/** The name of the model, with those that were found to choose from. */
export function ModelField({ modelId, models }: ModelFieldProps) {
  const list = useId()
  return (
    <>
      <WayField label="Model">
        {(id) => (
          <input
            id={id}
            className="text-field"
            name="modelId"
            required
            defaultValue={modelId}
            placeholder="Name of the model"
            list={list}
          />
        )}
      </WayField>
      <datalist id={list}>
        {[...new Set(models)].map((model) => (
          <option key={model} value={model} />
        ))}
      </datalist>
    </>
  )
}

/** Asks the user for the price, since providers change theirs. Without one, the cost is unknown. */
export function PriceFields({ price }: { price: Price | undefined }) {
  const field = { className: 'text-field', type: 'number', min: 0, step: 'any', placeholder: 'optional' } as const
  return (
    <div className="way-prices">
      <WayField label="$ per million tokens in">
        {(id) => <input id={id} name="priceIn" defaultValue={price?.input} {...field} />}
      </WayField>
      <WayField label="and out">
        {(id) => <input id={id} name="priceOut" defaultValue={price?.output} {...field} />}
      </WayField>
    </div>
  )
}
