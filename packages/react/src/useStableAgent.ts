import type { AgentHandle, RunState } from '@interleave/core'
import { useEffect, useRef } from 'react'
import { isDevelopment } from './isDevelopment.ts'

const suspicious = 3

/**
 * Warns once, in development, if an agent is created in each render. Counts only renders that the run caused, since
 * those have no other reason for a new agent.
 */
export function useStableAgent(agent: AgentHandle, drawn: RunState): void {
  const before = useRef({ agent, drawn, times: 0 })
  useEffect(() => {
    if (!isDevelopment()) return
    const last = before.current
    const isOther = agent !== last.agent
    const times = isOther && drawn !== last.drawn ? last.times + 1 : isOther ? last.times : 0
    before.current = { agent, drawn, times }
    if (times === suspicious && last.times < suspicious) warn(agent.name)
  })
}

function warn(name: string): void {
  console.warn(
    `useReAct() is given a new agent "${name}" in each render. Nothing is lost by it, but making one takes time: make it outside of the component, or in useMemo().`,
  )
}
