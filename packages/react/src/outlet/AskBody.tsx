import type { Ask, Run } from '@interleave/core'
import { type ComponentType, type ReactNode, useState } from 'react'
import { ApprovalAsk } from './ApprovalAsk.tsx'
import type { AskComponents, AskProps } from './AskProps.ts'
import { ChoiceAsk } from './ChoiceAsk.tsx'
import { ChoicesAsk } from './ChoicesAsk.tsx'
import { ConfirmAsk } from './ConfirmAsk.tsx'
import { ExtensionAsk } from './ExtensionAsk.tsx'
import { FormAsk } from './FormAsk.tsx'
import { plain } from './plain.ts'
import { TextAsk } from './TextAsk.tsx'

const builtIn: Required<AskComponents> = {
  choice: ChoiceAsk,
  choices: ChoicesAsk,
  confirm: ConfirmAsk,
  text: TextAsk,
  form: FormAsk,
  approval: ApprovalAsk,
  extension: ExtensionAsk,
}

export interface AskBodyProps {
  readonly run: Run
  readonly ask: Ask
  readonly titleId: string
  readonly components: AskComponents
}

/** One question: its prompt, the form of its kind, and what is wrong with the reply. */
export function AskBody({ run, ask, titleId, components }: AskBodyProps): ReactNode {
  const [problem, setProblem] = useState('')
  const [isSending, setSending] = useState(false)
  // Each component is only ever given questions of its own kind.
  const Form = (components[ask.kind] ?? builtIn[ask.kind]) as ComponentType<AskProps>

  const reply = async (value: unknown): Promise<void> => {
    setProblem('')
    setSending(true)
    try {
      await run.reply(ask.id, value)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
    setSending(false)
  }
  return (
    <>
      <h2 id={titleId} dir="auto">
        {plain(ask.prompt)}
      </h2>
      <Form ask={ask} titleId={titleId} reply={reply} complain={setProblem} isSending={isSending} />
      <p role="alert" data-interleave="problem">
        {problem && plain(problem)}
      </p>
    </>
  )
}
