import { DBOS } from '@dbos-inc/dbos-sdk'
import { call, pay } from '../../crash/programs/call.ts'
import { told } from '../../crash/programs/toldByEnv.ts'

interface Turn {
  readonly amount?: number
  readonly text?: string
}

/** The loop of an agent: each turn and each call of the tool is a step, as its guide to agents recommends. */
async function agent(): Promise<readonly number[]> {
  const amounts: number[] = []
  for (;;) {
    const results = amounts.length
    const turn = await DBOS.runStep(() => call<Turn>(told, '/model', { results }), { name: 'model' })
    const { amount } = turn
    if (amount === undefined) return amounts
    const key = `${DBOS.workflowID} ${results}`
    await DBOS.runStep(() => pay(told, amount, key), { name: 'pay' })
    amounts.push(amount)
  }
}

const workflow = DBOS.registerWorkflow(agent, { name: 'agent' })
// Trials run side by side, so each is an app of its own. An address needs a host and a user.
const { searchParams } = new URL(told.store)
const place = `${searchParams.get('user')}@${encodeURIComponent(searchParams.get('host') ?? '')}`
DBOS.setConfig({ name: `payer-${told.run}`, systemDatabaseUrl: `postgresql://${place}/postgres`, logLevel: 'error' })
// What was begun and did not end is taken up by the launch.
await DBOS.launch()
const handle = await DBOS.startWorkflow(workflow, { workflowID: told.run })()
const amounts = await handle.getResult()
await call(told, '/done', { amounts })
await DBOS.shutdown()
