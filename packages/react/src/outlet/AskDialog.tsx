import type { Ask, Failure, Run } from '@interleave/core'
import { userMessageOf } from '@interleave/core/observe'
import {
  type ComponentType,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import { reportProblem, useFailureWords } from '../failureWords.ts'
import { Button, ErrorBoundary } from '../parts.tsx'
import { plainJson } from '../untrusted/segmentsOf.ts'
import { Changed, UntrustedText } from '../untrusted/UntrustedText.tsx'
import { useReply } from '../useAsk.ts'
import { NewsRegion } from '../voice/Announcer.tsx'
import type { News } from '../voice/News.ts'
import { useSay, useWords } from '../words/words.tsx'
import { ApprovalAsk } from './ApprovalAsk.tsx'
import { type AskComponents, AskContext, type AskProps } from './AskForm.tsx'
import { type OnReply, Origin } from './announcements.tsx'
import { askIn } from './askIn.ts'
import { ChoiceAsk, ChoicesAsk, ConfirmAsk, ExtensionAsk, FormAsk, LinkAsk, TextAsk } from './basicAsks.tsx'
import { withPrompt } from './editedPrompt.ts'
import { chooseByNumber, enterByArrow, isTextField } from './keyboard.ts'
import { isTooEarly, type Shown, useModal } from './useModal.ts'

interface AskDialogProps {
  readonly run: Run | undefined
  /** The open questions. The first one is shown. */
  readonly asks: readonly Ask[]
  readonly components: AskComponents
  readonly shown: Shown
  readonly news: News
  /** The words of a screen reader about the questions, in a modal dialog: it says nothing of the page meanwhile. */
  readonly announcement: string | undefined
  /** Called when the user postpones the questions. */
  readonly onLater: () => void
  readonly onReply: OnReply
}

/** One native dialog for all questions. It stays in the page while it is closed, so it keeps what was typed. */
export function AskDialog({
  run,
  asks,
  components,
  shown,
  news,
  announcement,
  onLater,
  onReply,
}: AskDialogProps): ReactNode {
  const id = useId()
  const [ask] = asks
  // Ids of questions repeat from run to run.
  const key = run && ask && `${run.id}/${ask.id}`
  const typed = useRef<string>(undefined)
  const { ref, returnKey } = useModal({ ...shown, content: key, typed, onClosed: onLater })
  const ignoreStray = useStrayClicks(key)
  return (
    <dialog
      ref={ref}
      data-interleave="dialog"
      data-docked={shown.isDocked || undefined}
      aria-labelledby={`${id}title`}
      aria-describedby={`${id}origin`}
      onKeyDown={(event) => {
        chooseByNumber(event)
        enterByArrow(event)
        returnKey(event)
        // A modal dialog gets a `cancel` event instead.
        if (shown.isDocked && event.key === 'Escape' && !event.nativeEvent.isComposing) {
          stop(event)
          onLater()
        }
      }}
      onKeyDownCapture={(event: KeyboardEvent) => {
        if (event.key === 'Enter' && event.repeat && !(event.target instanceof HTMLTextAreaElement)) stop(event)
      }}
      onInput={({ target }) => {
        if (target instanceof Element && isTextField(target)) typed.current = key
      }}
      onClickCapture={ignoreStray}
      onCancel={(event) => {
        // Closing a file picker sends this event too.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onLater()
      }}
    >
      {announcement !== undefined && (
        <p role="status" data-interleave="news">
          {announcement}
        </p>
      )}
      <NewsRegion news={news} isInModal />
      {run && ask && (
        <>
          <DialogHeader id={`${id}origin`} run={run} ask={ask} count={asks.length} onLater={onLater} />
          <AskBody
            key={key}
            run={run}
            ask={ask}
            titleId={`${id}title`}
            components={components}
            onReply={(replied) => {
              typed.current = undefined
              return onReply(replied)
            }}
          />
        </>
      )}
    </dialog>
  )
}

/**
 * Returns a handler that ignores a second click and a held key that began on the previous question, and any that come
 * before the question can be read.
 */
function useStrayClicks(key: string | undefined): (event: MouseEvent) => void {
  const pressed = useRef<string>(undefined)
  return (event) => {
    if (isTooEarly(event)) stop(event)
    else if (event.detail <= 1) pressed.current = key
    else if (pressed.current !== key) stop(event)
  }
}

interface DialogHeaderProps {
  readonly id: string
  readonly run: Run
  readonly ask: Ask
  /** The number of open questions. */
  readonly count: number
  readonly onLater: () => void
}

function DialogHeader({ id, run, ask, count, onLater }: DialogHeaderProps): ReactNode {
  const say = useSay()
  return (
    // A <header> would be a landmark of the page.
    <div data-interleave="head">
      <Origin id={id} run={run} ask={ask} />
      {count > 1 && <span data-interleave="place">{say('questionOf', { count })}</span>}
      <Button part="later" data-key={say('escapeKey')} onClick={onLater}>
        {say('answerLater')}
      </Button>
    </div>
  )
}

function stop(event: MouseEvent | KeyboardEvent): void {
  event.preventDefault()
  event.stopPropagation()
}

const builtIn: Required<AskComponents> = {
  choice: ChoiceAsk,
  choices: ChoicesAsk,
  confirm: ConfirmAsk,
  text: TextAsk,
  form: FormAsk,
  link: LinkAsk,
  approval: ApprovalAsk,
  extension: ExtensionAsk,
}

interface AskBodyProps {
  readonly run: Run
  readonly ask: Ask
  readonly titleId: string
  readonly components: AskComponents
  readonly onReply: OnReply
}

/** Shows one question: its prompt, the form of its kind, and the error of the reply. */
function AskBody({ run, ask: asked, titleId, components, onReply }: AskBodyProps): ReactNode {
  const say = useSay()
  const ask = useMemo(() => askIn(say, asked), [say, asked])
  const [read, showPrompt] = useState<string>()
  const edited = read === undefined ? ask.prompt : askIn(say, { ...asked, prompt: read }).prompt
  const prompt = edited === ask.prompt ? undefined : edited
  const { reply: send, error, showProblem, isSending } = useReply(run, asked)
  const problem = useReplyProblem(error, showPrompt)
  // Each component only gets questions of its own kind.
  const Form = (components[ask.kind] ?? builtIn[ask.kind]) as ComponentType<AskProps>

  const body = useRef<HTMLDivElement>(null)

  const reply = async (value: unknown): Promise<void> => {
    const takeBack = onReply(asked)
    if (!(await send(withPrompt(asked, value, read)))) takeBack()
  }
  const decline = ask.declinable ? reply : undefined
  const shown = { run, kind: ask.kind, isSending, problem, decline, prompt, showPrompt }
  useEffect(() => {
    if (!problem) return
    const field = body.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    // jsdom scrolls nothing.
    const alert: Partial<Element> | null | undefined = body.current?.querySelector('[role="alert"]')
    if (field) field.focus()
    else alert?.scrollIntoView?.({ block: 'nearest' })
  }, [problem])
  return (
    <AskContext.Provider value={shown}>
      <div ref={body} data-interleave="body">
        <h2 id={titleId} tabIndex={-1} data-long={isLong(ask.prompt) || undefined}>
          {prompt === undefined ? (
            <UntrustedText limit={1_000}>{ask.prompt}</UntrustedText>
          ) : (
            <Changed before={ask.prompt} after={prompt} />
          )}
        </h2>
        <p role="alert" data-interleave="problem">
          {problem && <UntrustedText>{problem}</UntrustedText>}
        </p>
        <ErrorBoundary of={Form} fallback={<PlainAsk ask={ask} />}>
          <Form ask={ask} titleId={titleId} reply={reply} showProblem={showProblem} isSending={isSending} />
        </ErrorBoundary>
      </div>
    </AskContext.Provider>
  )
}

/** Returns what the user reads of a rejected reply. An approval whose input has another prompt shows that one instead. */
function useReplyProblem(error: Failure | undefined, showPrompt: (prompt: string) => void): string {
  const wordsOf = useFailureWords()
  const { failures } = useWords()
  const isChanged = error?.code === 'approval_changed'
  useEffect(() => {
    if (error) reportProblem(error)
    if (isChanged) showPrompt(error.message)
  }, [error, isChanged, showPrompt])
  if (isChanged) return userMessageOf({ ...error, code: 'approval_changed', message: '' }, failures)
  return error ? wordsOf(error) : ''
}

/** A text of several lines is no headline. */
const isLong = (prompt: string): boolean => prompt.length > 300 || prompt.split('\n').length > 4

/** Shows a question whose form failed to render. */
function PlainAsk({ ask }: { readonly ask: Ask }): ReactNode {
  const say = useSay()
  return (
    <>
      <p role="alert" data-interleave="problem">
        {say('formNotShown')}
      </p>
      <details>
        <summary>{say('showAsText')}</summary>
        <UntrustedText>{plainJson(ask)}</UntrustedText>
      </details>
    </>
  )
}
