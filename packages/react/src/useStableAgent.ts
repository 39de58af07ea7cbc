import type { AgentHandle, RunState } from '@interleave/core'
import { useEffect, useRef } from 'react'
import { isDevelopment } from './isDevelopment.ts'

const suspicious = 3

/**
 * Warns once, in development, of an agent that is made anew in each render. Only renders that the run caused are counted: nothing
 * else can have been a reason for another agent.
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
