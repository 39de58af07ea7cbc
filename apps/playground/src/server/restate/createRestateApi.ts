import { hubHandler, liveHub, restateAgent, restateJournal } from '@interleave/restate'
import { createHandler, type Handler } from '@interleave/server'
import { demoPlanner } from '../../models/demoPlanner/demoPlanner.ts'
import type { Environment } from '../modelOf.ts'
import { principalOf } from '../principalOf.ts'
import { servedAgents } from '../servedAgents.ts'

/** Answers for runs on Restate, if the environment names one. Any number of copies may run. */
export function createRestateApi({
  RESTATE_INGRESS: ingress,
  RESTATE_ADMIN: admin = '',
  RESTATE_SECRET: secret = '',
  HUB_SECRET: hubSecret = '',
}: Environment): Handler {
  if (!ingress) return async () => Response.json({ title: 'This server has no Restate.' }, { status: 503 })
  const journal = restateJournal({ ingress, admin })
  const hub = liveHub()
  const takeLive = hubHandler(hub, { secret: hubSecret })
  const handle = createHandler({
    agents: servedAgents({ model: demoPlanner(), journal }).map((template) => ({
      ...restateAgent({ agent: template.name, ingress, live: hub.subscribe }),
      template,
    })),
    ...{ journal, secret, authorize: principalOf },
  })
  return (request) => (new URL(request.url).pathname.endsWith('/hub') ? takeLive(request) : handle(request))
}
