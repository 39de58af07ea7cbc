import { useState } from 'react'
import type { Preset } from '../models/index.ts'
import { own } from '../parts/own.ts'
import { usePage } from '../run/usePlayground.ts'
import { LocalServers } from './LocalServers.tsx'
import { VaultFields } from './VaultFields.tsx'
import { KeyField, ModelField, PriceFields, WayField } from './WayField.tsx'

export interface ServerWayProps {
  readonly presets: readonly Preset[]
  /** The models that the last test found. */
  readonly models: readonly string[]
}

/** A model server on this machine: its address, its model, and its key if it wants one. */
export function ServerWay({ presets, models }: ServerWayProps) {
  const connection = usePage((page) => page.connection)
  const prices = usePage((page) => page.prices)
  const known = connection.type === 'server' ? connection : undefined
  const [address, write] = useState(known?.url ?? presets[0]?.url ?? '')
  const [seen, see] = useState<readonly string[]>([])
  const choose = (preset: string, found: readonly string[]): void => {
    write(preset)
    see(found)
  }
  return (
    <>
      <WayField label="Address">
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
      </WayField>
      <LocalServers presets={presets} onChoose={choose} />
      <ModelField key={seen[0]} modelId={known?.modelId ?? seen[0] ?? ''} models={[...models, ...seen]} />
      <KeyField label="Key, if the server wants one" defaultValue={known?.key?.reveal()} />
      <VaultFields />
      <PriceFields price={known && own(prices, known.modelId)} />
    </>
  )
}
