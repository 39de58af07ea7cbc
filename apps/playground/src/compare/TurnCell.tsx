import type { Json } from '@interleave/core'
import { UntrustedText } from '@interleave/react'
import { JsonValue } from '../parts/JsonValue.tsx'
import { toolWords } from '../parts/wording.ts'
import type { Difference } from './compareRuns.ts'
import { differingPart } from './differenceWords.ts'
import type { CallFacts, TurnFacts } from './turnFacts.ts'

export interface TurnCellProps {
  readonly own: TurnFacts
  readonly other: TurnFacts | undefined
  readonly differs: readonly Difference[]
}

/** A turn of one of two runs, with its differences marked. */
export function TurnCell({ own, other, differs }: TurnCellProps) {
  const end = own.signal && differs.includes('end') ? signalText(own.signal) : undefined
  return (
    <>
      {own.said.map((text, index) => (
        <p key={index} className="cell-said">
          <Text text={text} other={other?.said[index]} isMarked={differs.includes('messages')} />
        </p>
      ))}
      {own.reasoning && (
        <p className="cell-reasoning">
          <Text text={own.reasoning} other={other?.reasoning} isMarked={differs.includes('thought')} />
        </p>
      )}
      {own.thought && (
        <p className="cell-thought">
          <Text text={own.thought} other={other?.thought} isMarked={differs.includes('thought')} />
        </p>
      )}
      {own.calls.map((call, index) => (
        <CallCell key={call.key} call={call} other={other?.calls[index]} isMarked={differs.includes('calls')} />
      ))}
      {end && <p className="cell-end">{end}</p>}
    </>
  )
}

interface TextProps {
  readonly text: string
  readonly other: string | undefined
  readonly isMarked: boolean
}

function Text({ text, other, isMarked }: TextProps) {
  if (!isMarked || text === other) return <UntrustedText limit={5_000}>{text}</UntrustedText>
  const { before, own, after } = differingPart(text, other ?? '')
  return (
    <>
      <UntrustedText limit={5_000}>{before}</UntrustedText>
      {own && (
        <mark>
          <UntrustedText limit={5_000}>{own}</UntrustedText>
        </mark>
      )}
      <UntrustedText limit={5_000}>{after}</UntrustedText>
    </>
  )
}

interface CallCellProps {
  readonly call: CallFacts
  readonly other: CallFacts | undefined
  readonly isMarked: boolean
}

function CallCell({ call, other, isMarked }: CallCellProps) {
  const { tool, input, output, error, replies } = call
  const isOther = (mine: unknown, theirs: unknown): boolean => JSON.stringify(mine) !== JSON.stringify(theirs)
  return (
    <div className="cell-call" data-differs={isMarked && tool !== other?.tool}>
      <h3>{toolWords(tool)}</h3>
      <Value name="In" value={input} isOther={isOther(input, other?.input)} />
      {replies.map((reply, index) => (
        <Value key={index} name="Answer" value={reply} isOther={isOther(reply, other?.replies[index])} />
      ))}
      {error !== undefined ? (
        <p className="call-error">{error}</p>
      ) : (
        output !== undefined && <Value name="Out" value={output} isOther={isOther(output, other?.output)} />
      )}
    </div>
  )
}

interface ValueProps {
  readonly name: string
  readonly value: Json
  readonly isOther: boolean
}

const Value = ({ name, value, isOther }: ValueProps) => (
  <div className="cell-value" data-differs={isOther}>
    <h4>
      {name} {isOther && <span className="visually-hidden">, differs</span>}
    </h4>
    <JsonValue value={value} label={name} />
  </div>
)

function signalText(signal: NonNullable<TurnFacts['signal']>): string {
  switch (signal.type) {
    case 'answer':
      return 'Ends with an answer'
    case 'inputNeeded':
      return 'Waits for an answer'
    case 'limitReached':
      return 'Reaches a limit'
    case 'failed':
      return `Fails: ${signal.error.message}`
    case 'stopped':
      return `Stopped: ${signal.reason}`
  }
}
