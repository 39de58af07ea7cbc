import { useRun } from '@interleave/react'
import { Download } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { CopyButton } from '../parts/CopyButton.tsx'
import { errorWords } from '../parts/errorWords.ts'
import type { Conversation } from '../run/PlaygroundState.ts'
import { CodeFiles } from './CodeFiles.tsx'
import { type Activity, activitiesOf, litLines } from './litLines.ts'
import { hostOf, programOf } from './programOf.ts'
import type { Project, Variant } from './project.ts'
import { release } from './release.ts'
import './codePanel.css'

/** The program that makes the agent of a run. The lines that work now are lit. */
export function CodePanel({ conversation }: { conversation: Conversation }) {
  const [variant, setVariant] = useState<Variant>({ ui: 'react', host: hostOf(conversation.place) })
  const [before, setBefore] = useState<Variant>()
  const program = useProgram(conversation, variant)
  const earlier = useProgram(conversation, before ?? variant)
  const activities = useActivities(conversation)
  const change = (changed: Partial<Variant>): void => {
    setBefore(variant)
    setVariant({ ...variant, ...changed })
  }
  const problem = typeof program === 'string' ? program : undefined
  const project = typeof program === 'string' ? undefined : program
  const lit = project ? litLines(project, activities) : []
  return (
    <div className="code-panel">
      <div className="code-bar">
        <Choice label="Page" options={uis} value={variant.ui} onChange={(ui) => change({ ui })} />
        <Choice label="Runs in" options={hosts} value={variant.host} onChange={(host) => change({ host })} />
        {project && (
          <div className="code-actions">
            <CopyButton label="Copy" text={() => textOf(project)} otherwise="Select the code." />
            <DownloadButton conversation={conversation} variant={variant} />
          </div>
        )}
        <p className="code-now" data-works={lit.length > 0}>
          {activities.length === 0 ? 'Nothing is running.' : activities.map(activityWords).join(' ')}
        </p>
      </div>
      {problem !== undefined && <p className="code-none">This agent is not shown as code. {problem}</p>}
      {project && <CodeFiles project={project} earlier={typeof earlier === 'string' ? project : earlier} lit={lit} />}
    </div>
  )
}

const uis = { react: 'React', plain: 'TypeScript' } as const
const hosts = { page: 'This tab', worker: 'Worker', server: 'Server' } as const

function useProgram({ file, offer }: Conversation, { ui, host }: Variant): Project | string {
  return useMemo(() => {
    try {
      return programOf({ file, offer }, { ui, host })
    } catch (error) {
      return errorWords(error)
    }
  }, [file, offer, ui, host])
}

/** Returns the activities of the run, as the same list until they change. */
function useActivities({ run, graph }: Conversation): readonly Activity[] {
  return useRun(
    run,
    useCallback((state) => activitiesOf(state, graph), [graph]),
    isSameList,
  )
}

const isSameList = (a: readonly Activity[], b: readonly Activity[]): boolean => JSON.stringify(a) === JSON.stringify(b)

function activityWords({ type, name }: Activity): string {
  switch (type) {
    case 'model':
      return 'The model thinks.'
    case 'execute':
      return `${name} runs.`
    case 'approve':
      return `${name} waits for your approval.`
    case 'ask':
      return `${name ?? 'A step'} asks you.`
    case 'node':
      return `The run is at the node ${name}.`
  }
}

const textOf = ({ files, shown }: Project): string =>
  shown.map((path) => `// ${path}\n${files.get(path) ?? ''}`).join('\n')

interface ChoiceProps<Value extends string> {
  readonly label: string
  readonly options: Readonly<Record<Value, string>>
  readonly value: Value
  readonly onChange: (value: Value) => void
}

const Choice = <Value extends string>({ label, options, value, onChange }: ChoiceProps<Value>) => (
  <fieldset className="code-choice" aria-label={label}>
    {(Object.keys(options) as Value[]).map((option) => (
      <button key={option} type="button" aria-pressed={option === value} onClick={() => onChange(option)}>
        {options[option]}
      </button>
    ))}
  </fieldset>
)

/** Downloads a project with this agent, as `create-interleave` creates them, and says how to start it. */
function DownloadButton({ conversation, variant }: { conversation: Conversation; variant: Variant }) {
  const [trouble, setTrouble] = useState('')
  const [commands, setCommands] = useState('')
  const save = async (): Promise<void> => {
    setTrouble('')
    setCommands('')
    try {
      const { saveProject } = await import('./saveProject.ts')
      setCommands(saveProject(conversation, variant))
    } catch (error) {
      setTrouble(errorWords(error))
    }
  }
  return (
    <>
      <button
        type="button"
        className="button"
        title="A project as create-interleave makes them, with this agent"
        onClick={() => void save()}
      >
        <Download aria-hidden /> Download project
      </button>
      <span role="status">
        {trouble}
        {commands && (
          <>
            {release.unpack} <code>{commands}</code>
          </>
        )}
      </span>
    </>
  )
}
