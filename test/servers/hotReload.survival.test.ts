import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { agent, tool } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'
import { postgresJournal, sqliteJournal } from '@interleave/server/node'
import { call, openHandler } from '@interleave/test-kit/handlerCalls'
import { scriptedModel } from '@interleave/testing'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { startPostgres } from './startPostgres.ts'

/** Each returns a function that opens the same database again, as a module does that is evaluated anew. */
const databases: Readonly<Record<string, () => Promise<() => Journal>>> = {
  'a file of SQLite': async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'reloaded-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    return () => sqliteJournal(new DatabaseSync(path.join(folder, 'runs.sqlite')))
  },
  PostgreSQL: async () => {
    const server = await startPostgres()
    const pools: pg.Pool[] = []
    onTestFinished(async () => {
      for (const pool of pools) await pool.end()
      await server.close()
    })
    return () => {
      const pool = new pg.Pool({ connectionString: server.url })
      pools.push(pool)
      return postgresJournal(pool)
    }
  },
}

it.each(Object.keys(databases))(
  'asks about no call that works while a hot reload opens its database again: %s',
  async (name) => {
    const open = await databases[name]?.()
    if (!open) throw new Error(`There is no database "${name}".`)
    const id = 'r'.repeat(32)
    let paid = 0
    let proceed = (): void => {}
    const held = new Promise<void>((resolve) => {
      proceed = resolve
    })
    const evaluate = () => {
      const pay = tool({
        inputSchema: z.object({}),
        effect: 'atMostOnce',
        async execute() {
          paid++
          await held
          return 'Paid.'
        },
      })
      const model = scriptedModel({ calls: [{ name: 'pay', input: {} }] }, 'Done.')
      return openHandler([agent({ name: 'a', model, tools: { pay } })], { journal: open() })
    }
    await call(evaluate(), `runs/${id}`, { body: { agent: 'a', input: 'Go' } })
    await expect.poll(() => paid).toBe(1)

    const reading = call(evaluate(), `runs/${id}/events?follow=false`).then((response) => response.text())
    await new Promise((resolve) => setTimeout(resolve, 500))
    proceed()

    expect(await reading).toContain('"output":"Done."')
    expect(paid).toBe(1)
  },
)
