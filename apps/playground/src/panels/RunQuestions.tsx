import { type AskProps, PermissionList, SignalOutlet } from '@interleave/react'
import { FormAsk } from '@interleave/react/internal'
import { Table2 } from 'lucide-react'
import type { Conversation } from '../run/PlaygroundState.ts'
import { useMedia } from '../shell/useMedia.ts'

const components = { form: FormWithSample }

/** Shows the questions of the run as a card above the message box. In the past nothing can be answered. */
export function Questions({ conversation: { run, past } }: { conversation: Conversation }) {
  // A card would leave no room for the conversation, and another pane may be shown.
  const isNarrow = useMedia('(width < 48rem)')
  return (
    <SignalOutlet
      key={run.id}
      run={past ? undefined : run}
      components={components}
      docked={!isNarrow}
      failures={false}
    />
  )
}

/** Lists the permissions for later calls. */
export const PermissionsOfRun = ({ conversation: { run, permissions } }: { conversation: Conversation }) => (
  <PermissionList className="allowed-list" run={run} store={permissions} />
)

/** A form. Where it takes a CSV file, visitors without one can use that of the page. */
function FormWithSample(props: AskProps<'form'>) {
  const { ask, reply, showProblem, isSending } = props
  const field = csvField(ask.schema)
  const send = async (name: string): Promise<void> => {
    try {
      const { default: file } = await import('../data/sales.csv?raw')
      await reply({ [name]: file })
    } catch {
      showProblem('The sample file could not be loaded. Load the page again, or choose a file of your own.')
    }
  }
  return (
    <>
      {field !== undefined && (
        <p className="sample-file">
          <button type="button" disabled={isSending} onClick={() => void send(field)}>
            <Table2 aria-hidden /> Use the sample file
          </button>
          <small>24 sales of a small shop, with city, product, price and revenue.</small>
        </p>
      )}
      <FormAsk {...props} />
    </>
  )
}

/** The only field of a form that takes a CSV file. */
function csvField({ properties }: AskProps<'form'>['ask']['schema']): string | undefined {
  const fields = Object.entries(properties ?? {})
  const [name, schema] = fields[0] ?? []
  return fields.length === 1 && Object(schema).contentMediaType === 'text/csv' ? name : undefined
}
