import { linkAddress } from '@interleave/core/internal'
import { type ReactNode, useId, useMemo, useRef, useState } from 'react'
import { reportProblem, useFailureWords } from '../failureWords.ts'
import { Button } from '../parts.tsx'
import { plainText } from '../untrusted/segmentsOf.ts'
import { UntrustedText } from '../untrusted/UntrustedText.tsx'
import { Phrase, type Say, useSay } from '../words/words.tsx'
import { AskForm, type AskOf, type AskProps, SendButton } from './AskForm.tsx'
import { limitIn, rounded } from './askIn.ts'
import { Field } from './Field.tsx'
import { plainSchema } from './fieldSchema.ts'
import { withDefaults } from './presetWith.ts'
import { readField } from './readField.ts'

/** Asks for one of several options, with radio buttons. */
export function ChoiceAsk({ ask, reply, showProblem }: AskProps<'choice'>): ReactNode {
  const say = useSay()
  const send = (data: FormData): void => {
    const value = data.get('option')
    if (typeof value === 'string') void reply(value)
    else showProblem(say('chooseOneFirst'))
  }
  return (
    <AskForm onSubmit={send}>
      <OptionList type="radio" legend={say('chooseOne')} options={ask.options} />
    </AskForm>
  )
}

/** Asks for any number of options, with checkboxes. */
export function ChoicesAsk({ ask, reply, showProblem }: AskProps<'choices'>): ReactNode {
  const say = useSay()
  const send = (data: FormData): void => {
    const chosen = data.getAll('option').map(String)
    if (chosen.length < ask.min) showProblem(say('tooFew', { count: ask.min }))
    else if (chosen.length > ask.max) showProblem(say('tooMany', { count: ask.max }))
    else void reply(chosen)
  }
  return (
    <AskForm onSubmit={send}>
      <OptionList type="checkbox" legend={legendOf(ask, say)} options={ask.options} />
    </AskForm>
  )
}

function legendOf({ min, max, options }: AskOf<'choices'>, say: Say): string {
  if (min === max) return say('chooseExactly', { number: min })
  if (max < options.length) return min > 0 ? say('chooseBetween', { min, max }) : say('chooseAtMost', { number: max })
  return min > 0 ? say('chooseAtLeast', { number: min }) : say('chooseAny')
}

interface OptionListProps {
  readonly type: 'radio' | 'checkbox'
  readonly legend: string
  readonly options: AskOf<'choice'>['options']
}

/** The number of options from which a field filters them. */
const manyOptions = 13

/** Renders options as cards with native inputs, in a group whose legend says how many to choose. */
function OptionList({ type, legend, options }: OptionListProps): ReactNode {
  const id = useId()
  const list = useRef<HTMLFieldSetElement>(null)
  const [{ filter, chosen }, setFilter] = useState<Filtered>({ filter: '', chosen: [] })
  const isFound = ({ label, description = '' }: OptionListProps['options'][number]): boolean =>
    folded(`${label} ${description}`).includes(folded(filter.trim()))
  // The browser knows what is chosen, also what it has restored.
  const onFilter = (words: string): void => {
    const inputs = [...(list.current?.querySelectorAll<HTMLInputElement>('[name="option"]:checked') ?? [])]
    setFilter({ filter: words, chosen: inputs.map(({ value }) => value) })
  }
  return (
    <fieldset ref={list} data-interleave="options" data-many={options.length >= manyOptions || undefined}>
      <legend>{legend}</legend>
      {options.length >= manyOptions && (
        <OptionFilter filter={filter} onFilter={onFilter} count={options.filter(isFound).length} />
      )}
      {options.map(
        (option, index) =>
          (isFound(option) || chosen.includes(option.value)) && (
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
          ),
      )}
    </fieldset>
  )
}

/**
 * The filter, and what was chosen before it, which stays in the list. Other options leave the page: a hidden one would be
 * validated, and chosen by a number.
 */
interface Filtered {
  readonly filter: string
  readonly chosen: readonly string[]
}

const folded = (words: string): string => words.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

interface OptionFilterProps {
  readonly filter: string
  readonly onFilter: (filter: string) => void
  readonly count: number
}

/** Filters the options. It is no field of the form: Enter sends nothing. */
function OptionFilter({ filter, onFilter, count }: OptionFilterProps): ReactNode {
  const say = useSay()
  return (
    <div data-interleave="option-filter">
      <input
        type="search"
        aria-label={say('filterOptions')}
        placeholder={say('filterOptions')}
        value={filter}
        autoComplete="off"
        onChange={({ target }) => onFilter(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.preventDefault()
        }}
      />
      <small role="status">{filter && say('optionsShown', { count })}</small>
    </div>
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

/** Asks for yes or no, with two buttons. The title has the focus first, so a stray Enter says neither. */
export function ConfirmAsk({ ask, reply }: AskProps<'confirm'>): ReactNode {
  const buttons = (['no', 'yes'] as const).map((answer, index) => (
    <Button key={answer} part={answer} data-interleave-key={index + 1} onClick={() => void reply(answer === 'yes')}>
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
  const say = useSay()
  const buttons = (
    <>
      <Button part="finish" onClick={() => void reply({ finish: true })}>
        {say(ask.finish === 'answer' ? 'answerNow' : 'finishNow')}
      </Button>
      <SendButton label="continue" />
    </>
  )
  return (
    <AskForm onSubmit={(data) => void reply({ extend: Number(data.get('more')) })} buttons={buttons}>
      <p>
        <Phrase of="usedOf" used={rounded(ask.used)} limit={limitIn(say, ask)} />
      </p>
      <label htmlFor={id}>{say('extendBy')}</label>
      <input id={id} name="more" type="number" min={least(ask)} step="any" required defaultValue={ask.suggested} />
    </AskForm>
  )
}

/** The smallest extension. Nothing is no extension, and all limits but the cost are counted. */
const least = ({ limit, suggested }: AskProps<'extension'>['ask']): number =>
  Math.min(suggested, limit === 'cost' ? 0.01 : 1)

/** Asks for several fields, from a JSON Schema. */
export function FormAsk({ ask, reply, showProblem }: AskProps<'form'>): ReactNode {
  const say = useSay()
  const schema = useMemo(() => withDefaults(plainSchema(ask.schema)), [ask.schema])
  const wordsOf = useFailureWords()
  const field = { schema, path: '', isRequired: true }
  const send = async (data: FormData): Promise<void> => {
    try {
      await reply((await readField(field, data, say)) ?? null)
    } catch (error) {
      reportProblem(error)
      showProblem(wordsOf(error))
    }
  }
  return (
    <AskForm onSubmit={(data) => void send(data)}>
      <Field {...field} />
    </AskForm>
  )
}

/**
 * Shows an address to open, with its host marked, and two buttons: the first opens it, and the other one is for when the
 * user is done there.
 */
export function LinkAsk({ ask, reply }: AskProps<'link'>): ReactNode {
  const say = useSay()
  const [isOpened, setOpened] = useState(false)
  const url = linkAddress(ask.url)
  if (!url)
    return (
      <AskForm onSubmit={() => void reply('done')} buttons={<SendButton label="done" />}>
        <p role="alert">
          <Phrase of="unsafeAddress" address={<UntrustedText>{ask.url}</UntrustedText>} />
        </p>
      </AskForm>
    )
  const buttons = (
    <>
      <a
        href={url.href}
        target="_blank"
        rel="noopener noreferrer"
        data-interleave="open"
        data-opened={isOpened || undefined}
        onClick={() => setOpened(true)}
      >
        {say('openSite', { site: url.host })}
      </a>
      <SendButton label="done" />
    </>
  )
  return (
    <AskForm onSubmit={() => void reply('done')} buttons={buttons}>
      <p data-interleave="link" dir="ltr">
        {url.protocol}
        {'//'}
        <strong>{url.host}</strong>
        {url.href.slice(url.origin.length)}
        {url.host.includes('xn--') && <small> {say('lookalikeSite')}</small>}
      </p>
    </AskForm>
  )
}
