import type { Agent } from '@interleave/core'
import './effectBadge.css'

type Tool = Agent['tools'][string]

const words: Readonly<Record<Tool['effect'], readonly [string, string]>> = {
  readOnly: ['reads', 'It changes nothing, so it is called again after a crash.'],
  idempotent: ['repeatable', 'Called twice it does the same as once, so it is called again after a crash.'],
  atMostOnce: ['acts once', 'It may change something, so you are asked before it is called again after a crash.'],
}

/** The effect of a tool, and whether the user is asked first. */
export function EffectBadge({ tool: { effect, approve } }: { tool: Pick<Tool, 'effect' | 'approve'> }) {
  const [word, meaning] = words[effect]
  return (
    <>
      <span className="badge" data-effect={effect} title={meaning}>
        {word}
      </span>
      {approve !== undefined && (
        <span className="badge" data-effect="approve" title="You are asked before it is called.">
          asks first
        </span>
      )}
    </>
  )
}
