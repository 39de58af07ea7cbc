import http2 from 'node:http2'
import { postLive, restateHost, restateJournal } from '@interleave/restate'
import * as sdk from '@restatedev/restate-sdk'
import { findSection } from '../../docs/findSection.ts'
import { modelOf } from '../modelOf.ts'
import { servedAgents } from '../servedAgents.ts'

/** A process that executes the runs of the page. Any other such process resumes them. */
const { PORT = '', RESTATE_INGRESS: ingress = '', HUB_URL: url = '', HUB_SECRET: secret = '' } = process.env
const { services } = restateHost({
  sdk,
  ingress,
  agents: servedAgents({
    model: modelOf(process.env),
    journal: restateJournal({ ingress }),
    // This process cannot open a page; the answer has the link.
    page: { showSection: findSection },
  }),
  onLive: postLive({ url, secret, onFault: ({ message }) => console.error(message) }),
  onFault: (runId, error) => console.error(`The run ${runId} cannot continue now:`, error),
})
http2
  .createServer(sdk.createEndpointHandler({ services, logger: () => {} }))
  .listen(Number(PORT), '127.0.0.1', () => process.send?.('ready'))
// Its parent has ended, so nothing would restart it.
process.once('disconnect', () => process.exit())
