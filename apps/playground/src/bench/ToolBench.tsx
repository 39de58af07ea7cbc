import { type Agent, agent, type Json, type Run } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { useMemo, useState } from 'react'
import { agentFrom } from '../agents/agentFrom.ts'
import { agents, type Offer } from '../agents/index.ts'
import { pageFunctions } from '../docs/pageFunctions.ts'
import { AgentOptions } from '../parts/AgentOptions.tsx'
import { errorWords } from '../parts/errorWords.ts'
import { fileOf } from '../run/edits.ts'
import { usePage } from '../run/usePlayground.ts'
import { BenchCall, type Tried } from './BenchCall.tsx'
import { BenchForm } from './BenchForm.tsx'
import { EffectBadge } from './EffectBadge.tsx'
import type { LinkedTool } from './toolLink.ts'
import './toolBench.css'

export interface ToolBenchProps {
  readonly linked: LinkedTool
  readonly onLink: (tool: LinkedTool) => void
}

/** Calls one tool alone, with an input that the user writes. */
export function ToolBench({ linked, onLink }: ToolBenchProps) {
  const bench = useTools(linked.agent)
  const [tried, setTried] = useState<readonly Tried[]>([])
  const [again, setAgain] = useState<Tried>()
  if (!bench) return <p role="alert">There is no such agent. Close this, and choose a tool of another agent.</p>
  const { tools, trouble } = bench
  const name = linked.tool !== undefined && Object.hasOwn(tools, linked.tool) ? linked.tool : Object.keys(tools)[0]
  const tool = name === undefined ? undefined : tools[name]

  const call = (input: Json): void => {
    if (name === undefined) return
    const run = callAlone({ tools }, { tool: name, input })
    setTried((before) => [{ number: before.length + 1, tool: name, input, run }, ...before])
  }

  return (
    <div className="bench">
      <div className="bench-choice">
        <label>
          Agent
          <select value={linked.agent} onChange={({ target }) => onLink({ agent: target.value })}>
            <AgentOptions />
          </select>
        </label>
        <label>
          Tool
          <select value={name} onChange={({ target }) => onLink({ agent: linked.agent, tool: target.value })}>
            {Object.keys(tools).map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
      </div>
      {trouble && <p role="alert">Its file has mistakes, so it has no tools now. {trouble}</p>}
      {tool && name !== undefined && (
        <>
          <p className="bench-about">
            <EffectBadge tool={tool} /> {tool.description}
          </p>
          <BenchForm
            key={`${linked.agent} ${name} ${again?.tool === name ? again.number : ''}`}
            tool={tool}
            input={again?.tool === name ? again.input : undefined}
            onCall={call}
          />
        </>
      )}
      <section className="bench-calls" aria-label="Calls">
        {tried.length === 0 && (
          <p className="bench-none">
            A call works as it does in a run: its input is checked, you approve it if it needs approval, and its time is
            limited. No model is called, and nothing is stored.
          </p>
        )}
        {tried.map((one) => (
          <BenchCall
            key={one.number}
            tried={one}
            onAgain={() => {
              setAgain(one)
              onLink({ agent: linked.agent, tool: one.tool })
            }}
          />
        ))}
      </section>
    </div>
  )
}

/** One call of a tool without a model: a run of its own, with an input that the user wrote. */
interface LoneCall {
  readonly tool: string
  readonly input: Json
}

/** Calls one tool of an agent as a run does: with checks, approval, time limit and questions. */
export function callAlone({ tools }: Pick<Agent, 'tools'>, { tool, input }: LoneCall): Run {
  const spec = tools[tool]
  if (!spec) throw new Error(`The agent has no tool “${tool}”.`)
  const asIfModel = scriptedModel({ calls: [{ name: tool, input }] }, 'Done.')
  return agent({ name: 'tool bench', model: asIfModel, tools: { [tool]: spec } }).start(`Call ${tool}`)
}

interface BenchTools {
  readonly offer: Offer
  readonly tools: Agent['tools']
  /** The reason why there are none. */
  readonly trouble?: string
}

/** The tools of an agent as new runs of it have them. Created once, so that an opened file stays open. */
function useTools(id: string): BenchTools | undefined {
  const offer = agents.find((one) => one.id === id)
  const file = usePage(({ edits }) => offer && fileOf(offer, edits))
  return useMemo(() => offer && file !== undefined && toolsOf(offer, file), [offer, file]) || undefined
}

function toolsOf(offer: Offer, file: string): BenchTools {
  try {
    const { tools } = agentFrom(file, { model: scriptedModel(), page: pageFunctions })
    return { offer, tools: Object.fromEntries(Object.entries(tools).filter(([, { execute }]) => execute)) }
  } catch (error) {
    return { offer, tools: {}, trouble: errorWords(error) }
  }
}
