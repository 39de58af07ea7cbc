import { Radar } from 'lucide-react'
import { useState } from 'react'
import { type Preset, type Probe, probe } from '../models/index.ts'
import { own } from '../parts/objects.ts'
import { counted } from '../parts/wording.ts'
import { usePage } from '../run/usePlayground.ts'
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
  const [address, setAddress] = useState(known?.url ?? presets[0]?.url ?? '')
  const [seen, setSeen] = useState<readonly string[]>([])
  const choose = (preset: string, found: readonly string[]): void => {
    setAddress(preset)
    setSeen(found)
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
            onChange={({ target }) => setAddress(target.value)}
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

interface LocalServersProps {
  readonly presets: readonly Preset[]
  readonly onChoose: (url: string, models: readonly string[]) => void
}

/** Offers the usual local servers, and detects which of them are running. */
function LocalServers({ presets, onChoose }: LocalServersProps) {
  const [found, setFound] = useState<Readonly<Record<string, Probe>>>({})
  const [isLooking, setLooking] = useState(false)
  const lookAround = async (): Promise<void> => {
    setLooking(true)
    const answers = await Promise.all(
      presets.map(
        async ({ url }) => [url, await probe({ type: 'server', url, modelId: '' }, { timeoutMs: 3_000 })] as const,
      ),
    )
    setFound(Object.fromEntries(answers))
    setLooking(false)
  }
  return (
    <div className="way-presets">
      {presets.map(({ label, url }) => (
        <button key={label} type="button" className="button" onClick={() => onChoose(url, modelsOf(found[url]))}>
          {label} <Standing answer={found[url]} />
        </button>
      ))}
      <button type="button" className="button" disabled={isLooking} onClick={() => void lookAround()}>
        <Radar aria-hidden /> {isLooking ? 'Looking …' : 'Detect running server'}
      </button>
      <p role="status" className="visually-hidden">
        {!isLooking &&
          presets.flatMap(({ label, url }) => (found[url] ? [`${label}: ${words(found[url])}`] : [])).join('; ')}
      </p>
    </div>
  )
}

const Standing = ({ answer }: { answer: Probe | undefined }) =>
  answer ? (
    <span className="way-state" data-tone={answer.ok ? 'good' : 'bad'}>
      {words(answer)}
    </span>
  ) : null

const modelsOf = (answer: Probe | undefined): readonly string[] => (answer?.ok ? answer.models : [])

const words = (answer: Probe): string => (answer.ok ? counted(answer.models.length, 'model') : 'not there')
