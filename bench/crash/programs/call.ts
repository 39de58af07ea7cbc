/** The arguments of a program: its run, its kind of tool, the address of the world, and where it stores what it must not lose. */
export interface Told {
  readonly run: string
  readonly tool: string
  readonly world: string
  readonly store: string
}

/** Asks the world for something. */
export async function call<Answer>(
  { world, run }: Pick<Told, 'world' | 'run'>,
  path: string,
  body: object = {},
): Promise<Answer> {
  const response = await fetch(`${world}${path}`, { method: 'POST', body: JSON.stringify({ run, ...body }) })
  return (await response.json()) as Answer
}

/** The tool, whatever calls it: a payment that a bank makes. `key` says that a payment is the same as before. */
export async function pay(told: Omit<Told, 'store'>, amount: number, key: string): Promise<number> {
  await call(told, '/enter')
  if (told.tool === 'two-phase') await call(told, '/prepare')
  return call(told, '/pay', { amount, ...(told.tool === 'idempotent' && { key }) })
}
