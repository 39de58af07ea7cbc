import { linkAddress, messageOf } from '@interleave/core/internal'
import { type ReactNode, useId, useMemo } from 'react'
import { Button } from '../parts.tsx'
import { plainText } from '../untrusted/segmentsOf.ts'
import { UntrustedText } from '../untrusted/UntrustedText.tsx'
import { AskForm, type AskOf, type AskProps, SendButton } from './AskForm.tsx'
import { Field } from './Field.tsx'
import { plainSchema } from './fieldSchema.ts'
import { withDefaults } from './presetWith.ts'
import { readField } from './readField.ts'

/** Asks for one of several options, with radio buttons. */
export function ChoiceAsk({ ask, reply, showProblem }: AskProps<'choice'>): ReactNode {
  const send = (data: FormData): void => {
    const value = data.get('option')
    if (typeof value === 'string') void reply(value)
    else showProblem('Choose one.')
  }
  return (
    <AskForm onSubmit={send}>
      <OptionList type="radio" legend="Choose one" options={ask.options} />
    </AskForm>
  )
}

/** Asks for any number of options, with checkboxes. */
export const ChoicesAsk = ({ ask, reply }: AskProps<'choices'>): ReactNode => (
  <AskForm onSubmit={(data) => void reply(data.getAll('option').map(String))}>
    <OptionList type="checkbox" legend={legendOf(ask)} options={ask.options} />
  </AskForm>
)

function legendOf({ min, max, options }: AskOf<'choices'>): string {
  if (min === max) return `Choose ${min}`
  if (max < options.length) return min > 0 ? `Choose ${min} to ${max}` : `Choose up to ${max}`
  return min > 0 ? `Choose at least ${min}` : 'Choose any'
}

interface OptionListProps {
  readonly type: 'radio' | 'checkbox'
  readonly legend: string
  readonly options: AskOf<'choice'>['options']
}

/** Renders options as cards with native inputs, in a group whose legend says how many to choose. */
function OptionList({ type, legend, options }: OptionListProps): ReactNode {
  const id = useId()
  return (
    <fieldset data-interleave="options">
      <legend>{legend}</legend>
      {options.map((option, index) => (
        <label key={option.value} data-interleave="option" data-number={index < 9 ? index + 1 : undefined}>
          <input
            type={type}
            name="option"
            value={option.value}
            required={type === 'radio'}
            data-interleave-key={index + 1}
            aria-labelledby={`${id}label${index}`}
            aria-describedby={
              aboutOption.flatMap((name) => (option[name] ? [`${id}${name}${index}`] : [])).join(' ') || undefined
            }
          />
          <OptionText option={option} idOf={(name) => `${id}${name}${index}`} />
        </label>
      ))}
    </fieldset>
  )
}

/** The descriptions of an option, in the order in which they are read. */
const aboutOption = ['badge', 'description', 'detail'] as const

interface OptionTextProps {
  readonly option: AskOf<'choice'>['options'][number]
  readonly idOf: (name: string) => string
}

/** Renders the label with its badge, a line below it, and a fact at the end of the line. */
const OptionText = ({ option: { label, badge, description, detail }, idOf }: OptionTextProps): ReactNode => (
  <>
    <span>
      <span id={idOf('label')}>
        <UntrustedText limit={200}>{label}</UntrustedText>
      </span>
      {badge && (
        <small id={idOf('badge')} data-interleave="badge">
          <UntrustedText limit={40}>{badge}</UntrustedText>
        </small>
      )}
      {description && (
        <small id={idOf('description')}>
          <UntrustedText limit={300}>{description}</UntrustedText>
        </small>
      )}
    </span>
    {detail && (
      <span id={idOf('detail')} data-interleave="detail">
        <UntrustedText limit={60}>{detail}</UntrustedText>
      </span>
    )}
  </>
)

/** Asks for yes or no, with two buttons. */
export function ConfirmAsk({ ask, reply }: AskProps<'confirm'>): ReactNode {
  const buttons = (['yes', 'no'] as const).map((answer, index) => (
    <Button
      key={answer}
      part={answer}
      data-interleave-key={index + 1}
      data-interleave-focus={index === 0 ? '' : undefined}
      onClick={() => void reply(answer === 'yes')}
    >
      <UntrustedText limit={Number.POSITIVE_INFINITY}>{ask[answer]}</UntrustedText>
    </Button>
  ))
  return <AskForm buttons={buttons} />
}

/** Asks for a text, of one or several lines. */
export function TextAsk({ ask, titleId, reply }: AskProps<'text'>): ReactNode {
  const { multiline, minLength, maxLength, placeholder } = ask
  const field = {
    name: 'text',
    'aria-labelledby': titleId,
    required: minLength > 0,
    minLength,
    maxLength,
    autoComplete: 'off',
    ...(placeholder && { placeholder: plainText(placeholder).slice(0, 200) }),
  }
  return (
    <AskForm onSubmit={(data) => void reply(String(data.get('text') ?? ''))}>
      {multiline ? <textarea rows={5} {...field} /> : <input type="text" {...field} />}
    </AskForm>
  )
}

/**
 * Asks whether to extend a limit that is reached or near, or to finish the run, with an answer if a turn is left for
 * it.
 */
export function ExtensionAsk({ ask, reply }: AskProps<'extension'>): ReactNode {
  const id = useId()
  const buttons = (
    <>
      <SendButton label="Continue" />
      <Button part="finish" onClick={() => void reply({ finish: true })}>
        {ask.finish === 'answer' ? 'Answer now' : 'Finish now'}
      </Button>
    </>
  )
  return (
    <AskForm onSubmit={(data) => void reply({ extend: Number(data.get('more')) })} buttons={buttons}>
      <p>
        Used {ask.used} of {ask.allowed} ({ask.limit}).
      </p>
      <label htmlFor={id}>Extend the limit by</label>
      <input id={id} name="more" type="number" min={0} step="any" required defaultValue={ask.suggested} />
    </AskForm>
  )
}

/** Asks for several fields, from a JSON Schema. */
export function FormAsk({ ask, reply, showProblem }: AskProps<'form'>): ReactNode {
  const schema = useMemo(() => withDefaults(plainSchema(ask.schema)), [ask.schema])
  const field = { schema, path: '', isRequired: true }
  const send = async (data: FormData): Promise<void> => {
    try {
      await reply((await readField(field, data)) ?? null)
    } catch (error) {
      showProblem(messageOf(error))
    }
  }
  return (
    <AskForm onSubmit={(data) => void send(data)}>
      <Field {...field} />
    </AskForm>
  )
}

/**
 * Shows an address to open, with its host marked, and a button for when the user is done there. Only a click opens it.
 */
export function LinkAsk({ ask, reply }: AskProps<'link'>): ReactNode {
  const url = linkAddress(ask.url)
  return (
    <AskForm onSubmit={() => void reply('done')} buttons={<SendButton label="Done" />}>
      {url ? (
        <p data-interleave="link">
          <a href={url.href} target="_blank" rel="noopener noreferrer" data-interleave-focus="">
            {url.protocol}
            {'//'}
            <strong>{url.host}</strong>
            {url.href.slice(url.origin.length)}
          </a>
          {url.host.includes('xn--') && <small> The name of this site has letters that may look like others.</small>}
        </p>
      ) : (
        <p role="alert">
          This address cannot be opened safely: <UntrustedText>{ask.url}</UntrustedText>
        </p>
      )}
    </AskForm>
  )
}
