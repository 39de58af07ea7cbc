import type { Ask, Run } from '@interleave/core'
import { type ComponentType, type ReactNode, useEffect, useRef } from 'react'
import { UntrustedText } from '../untrusted/UntrustedText.tsx'
import { useReply } from '../useReply.ts'
import { ApprovalAsk } from './ApprovalAsk.tsx'
import type { AskComponents, AskProps } from './AskProps.ts'
import { ChoiceAsk } from './ChoiceAsk.tsx'
import { ChoicesAsk } from './ChoicesAsk.tsx'
import { ConfirmAsk } from './ConfirmAsk.tsx'
import { ExtensionAsk } from './ExtensionAsk.tsx'
import { FormAsk } from './FormAsk.tsx'
import { ProblemContext } from './problemAt.ts'
import { TextAsk } from './TextAsk.tsx'
import type { OnReply } from './useNews.ts'

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
  readonly onReply: OnReply
}

/** One question: its prompt, the form of its kind, and what is wrong with the reply. */
export function AskBody({ run, ask, titleId, components, onReply }: AskBodyProps): ReactNode {
  const { reply: send, error: problem = '', complain, isSending } = useReply(run, ask)
  // Each component is only ever given questions of its own kind.
  const Form = (components[ask.kind] ?? builtIn[ask.kind]) as ComponentType<AskProps>

  const body = useRef<HTMLDivElement>(null)

  const reply = async (value: unknown): Promise<void> => {
    const takeBack = onReply(ask)
    if (!(await send(value))) takeBack()
  }
  useEffect(() => {
    if (!problem) return
    const field = body.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (field) field.focus()
    else body.current?.querySelector('[role="alert"]')?.scrollIntoView({ block: 'nearest' })
  }, [problem])
  return (
    <ProblemContext.Provider value={problem}>
      <div ref={body} data-interleave="body">
        <h2 id={titleId}>
          <UntrustedText limit={1_000}>{ask.prompt}</UntrustedText>
        </h2>
        <p role="alert" data-interleave="problem">
          {problem && <UntrustedText>{problem}</UntrustedText>}
        </p>
        <Form ask={ask} titleId={titleId} reply={reply} complain={complain} isSending={isSending} />
      </div>
    </ProblemContext.Provider>
  )
}
