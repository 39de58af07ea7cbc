import { useEffect, useState } from 'react'
import { type CloudName, cloudOfKey, clouds } from '../models/index.ts'
import { own } from '../parts/objects.ts'
import { mayProxy } from '../remote/probeServer.ts'
import { usePage } from '../run/usePlayground.ts'
import { VaultFields } from './VaultFields.tsx'
import { KeyField, ModelField, PriceFields, WayField } from './WayField.tsx'

export interface KeyFieldsProps {
  /** The models that the last test found. */
  readonly models: readonly string[]
  readonly onAsk: () => void
}

/** A key is tested as soon as it is whole: keys are pasted, and the shortest has more characters. */
const leastKey = 20
const pauseMs = 400

/** Shows the fields of a provider with the user's own key. The key shows which provider it is. */
export function KeyFields({ models, onAsk }: KeyFieldsProps) {
  const connection = usePage((page) => page.connection)
  const keys = usePage((page) => page.keys)
  const prices = usePage((page) => page.prices)
  const known = 'route' in connection ? connection : undefined
  const [cloud, setCloud] = useState<CloudName>(
    known?.type ?? clouds.find(({ type }) => own(keys, type))?.type ?? 'openai',
  )
  const [typed, setTyped] = useState<string>()
  const held = known?.type === cloud ? known.key : own(keys, cloud)
  const key = typed ?? held?.reveal() ?? ''
  const take = (text: string): void => {
    setTyped(text)
    setCloud((before) => cloudOfKey(text) ?? before)
  }
  useTested(typed, onAsk)
  const modelId = known?.type === cloud ? known.modelId : clouds.find(({ type }) => type === cloud)?.modelId
  return (
    <>
      <KeyField
        label="Key"
        required
        placeholder="sk-… or AIza…"
        value={key}
        onChange={({ target }) => take(target.value)}
      />
      <VaultFields />
      <WayField label="Provider">
        {(id) => (
          <select id={id} name="cloud" value={cloud} onChange={({ target }) => setCloud(target.value as CloudName)}>
            {clouds.map(({ type, label }) => (
              <option key={type} value={type}>
                {label}
              </option>
            ))}
          </select>
        )}
      </WayField>
      <ModelField key={cloud} modelId={modelId ?? ''} models={models} />
      <PriceFields price={known && own(prices, known.modelId)} />
      <RouteField isDirect={known?.route === 'direct'} />
    </>
  )
}

/** Tests a key once the user has stopped typing. */
function useTested(key: string | undefined, onAsk: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another function is no reason to ask again.
  useEffect(() => {
    if (key === undefined || key.trim().length < leastKey) return
    const timer = setTimeout(onAsk, pauseMs)
    return () => clearTimeout(timer)
  }, [key])
}

/** Chooses if requests go through the page's own server. */
function RouteField({ isDirect }: { isDirect: boolean }) {
  const hasProxy = usePage(({ servers }) => mayProxy(servers.server))
  return hasProxy ? (
    <label className="way-check">
      <input type="checkbox" name="direct" defaultChecked={isDirect} />
      Call the provider from this browser, not through the local proxy
    </label>
  ) : (
    <small>
      <input type="hidden" name="direct" value="on" />
      This browser calls the provider: the server of this page forwards nothing.
    </small>
  )
}
