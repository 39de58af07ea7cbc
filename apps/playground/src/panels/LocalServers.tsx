import { Radar } from 'lucide-react'
import { useState } from 'react'
import { type Preset, type Probe, probe } from '../models/index.ts'
import { counted } from '../parts/wording.ts'

export interface LocalServersProps {
  readonly presets: readonly Preset[]
  readonly onChoose: (url: string, models: readonly string[]) => void
}

/** Servers that people run on their machines: each at its usual place, and a look at which of them is there. */
export function LocalServers({ presets, onChoose }: LocalServersProps) {
  const [found, tell] = useState<Readonly<Record<string, Probe>>>({})
  const [isLooking, look] = useState(false)
  const lookAround = async (): Promise<void> => {
    look(true)
    const answers = await Promise.all(
      presets.map(
        async ({ url }) => [url, await probe({ type: 'server', url, modelId: '' }, { timeoutMs: 3_000 })] as const,
      ),
    )
    tell(Object.fromEntries(answers))
    look(false)
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
