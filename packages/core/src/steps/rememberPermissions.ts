import { checkOptions, DEV } from '#checks'
import { approvalKey, checkOpen, permissionOf } from '../call.ts'
import { permissionFor } from '../capabilities/approvals/permissionFor.ts'
import { idsOf } from '../capabilities/questions/asks.ts'
import { permissionChanges } from '../changes/permissions.ts'
import { questionChanges } from '../changes/questions.ts'
import { attempt } from '../engine/wait.ts'
import { reportLater } from '../error.ts'
import { checkPermissions, type PermissionStore } from '../journal/permissionStore.ts'
import { asPlain, copyJson, isObject, type Json, sameJson, toJson } from '../json.ts'
import { assertOption } from '../options.ts'
import { type ApprovalAsk, isPersistent, type Permission, permissionBy } from '../permission.ts'
import { type Ask, checkReply, isPromptRequest } from '../question.ts'
import type { Activity, Clock, RunContext, Step } from '../run.ts'
import type { Checked } from '../schema.ts'
import { noteOf, openCall, questionOf, type RunState } from '../state.ts'
import { needsOf } from '../step.ts'
import type { TypedQuestion } from '../typedQuestion.ts'

export interface RememberPermissionsOptions {
  /** The permissions of the user, or a function that returns the store of the user of a run. */
  store: PermissionStore | ((state: RunState, about: { readonly context: unknown }) => PermissionStore)
  /** Receives an error if the store fails or times out, once until it works again; the user is asked. `reportError` by default. */
  onError?: (error: unknown) => void
  /** The time limit of each access, in milliseconds; 5,000 by default. */
  timeoutMs?: number
}

/**
 * Lets a user allow calls for good: a reply `{ approved: true, remember, persistent: true }` counts in later runs of this
 * agent too, until the store no longer has it. Wraps a whole backend, and also answers for child runs. The log contains
 * these permissions, so reading it needs no store.
 *
 * @example
 * backend: rememberPermissions(reasonAct(), { store: indexedDbPermissionStore() })
 */
export function rememberPermissions(backend: Step, options: RememberPermissionsOptions): Step {
  assertOption(
    typeof backend === 'function',
    DEV && 'rememberPermissions() goes around a backend: rememberPermissions(reasonAct(), { store }).',
  )
  checkOptions('rememberPermissions()', options, ['store', 'onError', 'timeoutMs'])
  const { store, onError = reportLater, timeoutMs = 5_000 } = options
  assertOption(
    typeof store === 'function' || typeof Object(store).list === 'function',
    DEV && 'rememberPermissions() needs a `store`, such as indexedDbPermissionStore().',
  )
  let hasFailed = false
  /** Returns the result of the store; undefined if it fails, times out, or the run is stopped. */
  const access: Access = async (run, work) => {
    const report = (error: unknown): unknown => {
      if (hasFailed) return undefined
      hasFailed = true
      return onError(error)
    }
    const result = await attempt(run, { name: 'store of permissions', onError: report, timeoutMs }, async () => {
      const of = typeof store === 'function' ? store(run.state, { context: run.context }) : store
      const advice = 'Return one, such as indexedDbPermissionStore(), not a promise.'
      assertOption(
        typeof Object(of).list === 'function',
        DEV && `The \`store\` of rememberPermissions() returned no store. ${advice}`,
      )
      return { value: await work(of, run.state.agent) }
    })
    if (result) hasFailed = false
    return result?.value
  }
  const step = (run: RunContext) => {
    // The top run asks for its children.
    if (run.state.parent) return backend(run)
    // The store answers questions before they are asked.
    run.learn(questionChanges)
    run.learn(permissionChanges)
    const activity = (call?: string): Activity => new OfferingActivity(run.activity(call), { run, call, access })
    return backend(run.with<Pick<RunContext, 'activity'>>({ activity }))
  }
  return Object.assign(step, needsOf(backend))
}

type Access = <T>(
  run: RunContext,
  work: (store: PermissionStore, agent: string) => PromiseLike<T>,
) => Promise<T | undefined>

type Offering = { readonly run: RunContext; readonly call: string | undefined; readonly access: Access }

/** An activity whose approvals can be given for good. */
class OfferingActivity implements Activity {
  readonly #inner: Activity
  readonly #offering: Offering
  /** The replies that are being checked: as the user gave them, and as the asking code reads them. */
  readonly #given = new Set<{ readonly key: string; readonly whole: Json; readonly plain: Json }>()
  #isOver = false

  constructor(inner: Activity, offering: Offering) {
    this.#inner = inner
    this.#offering = offering
  }

  get clock(): Clock | undefined {
    return this.#inner.clock
  }

  set clock(clock: Clock | undefined) {
    this.#inner.clock = clock
  }

  get unreceived(): unknown {
    return this.#inner.unreceived
  }

  set unreceived(error: unknown) {
    this.#inner.unreceived = error
  }

  get isDoing(): boolean {
    return this.#inner.isDoing
  }

  ask<T>(key: string, asking: TypedQuestion<T>): Promise<T> {
    const { question } = asking
    const isOffered = 'kind' in question && question.kind === 'approval' && question.remember !== 'never'
    if (!isOffered) return this.#inner.ask(key, asking)
    const { call } = this.#offering
    const ask = asPlain({ ...question, persistent: true, id: key, ...(call !== undefined && { call }) }) as ApprovalAsk
    return this.#offer(key, ask, asking)
  }

  once<T extends Json>(key: string, fn: () => T | PromiseLike<T>): Promise<T> {
    return this.#inner.once(key, fn)
  }

  checkContinues(): void {
    this.#inner.checkContinues()
  }

  /** Records the whole reply: a child run received it without `persistent`, and settles with that. */
  settle(id: string, reply?: Json, prompt?: string): void {
    const given = [...this.#given].find(({ key, plain }) => key === id && sameJson(plain, reply))
    this.#inner.settle(id, given ? given.whole : reply, prompt)
  }

  setWorking(working: boolean): void {
    this.#inner.setWorking(working)
  }

  activity(call?: string): Activity {
    return new OfferingActivity(this.#inner.activity(call), { ...this.#offering, call })
  }

  /** Checks the permission again, which may have been removed since: in another tab, or before a reload. */
  recheck(): Promise<void> | undefined {
    const { run, call } = this.#offering
    const made = call === undefined ? undefined : openCall(run.state, call)
    const permission = made?.status === 'approved' ? permissionOf(made) : undefined
    if (!made || permission === undefined) return undefined
    const isOfRun = run.state.permissions?.some(({ id }) => id === permission)
    return isOfRun ? undefined : this.#confirm(permission, approvalKey(made))
  }

  end(): void {
    this.#isOver = true
    this.#inner.end()
  }

  async #offer<T>(key: string, ask: ApprovalAsk, asking: TypedQuestion<T>): Promise<T> {
    await this.#allow(key, ask)
    const { id: _, call: __, ...question } = ask
    const value = await this.#inner.ask<T>(key, {
      ...asking,
      question,
      check: (reply) => this.#check({ key, ask, asking }, reply),
    })
    await this.#keep(key)
    return value
  }

  /** Answers the question from the store, unless it was asked before: then it stays until a user answers it. */
  async #allow(key: string, ask: ApprovalAsk): Promise<void> {
    const { run, call } = this.#offering
    const isOpen = () => this.#latestId(key) === undefined && !permissionFor(run.state.permissions, ask)
    if (!isOpen()) return
    const permission = await this.#permissionFor(ask)
    if (!permission || !isOpen() || this.#isEnded) return
    checkOpen(run.state, call)
    const { id: by, scope, at } = permission
    run.emit({ type: 'permitted', ask, by, persistent: { scope, at } })
  }

  /** Withdraws the approval of the calls that this permission allowed, unless the store still allows them. */
  async #confirm(by: string, key: string): Promise<void> {
    const { run, call } = this.#offering
    const ask = questionOf(run.state, this.#latestId(key) ?? key, call)
    const isAllowed = (await this.#permissionFor(ask)) !== undefined
    if (!isAllowed && !this.#isEnded) run.emit({ type: 'revoked', id: by })
  }

  /** Returns the permission of the store for a question, if there is one. */
  async #permissionFor(ask: Ask | undefined): Promise<Permission | undefined> {
    const { run, access } = this.#offering
    const all = await access(run, async (store, agent) => checkPermissions(await store.list(agent)))
    return ask?.kind === 'approval' ? permissionFor(all, ask) : undefined
  }

  get #isEnded(): boolean {
    return this.#isOver || this.#offering.run.abortSignal.aborted
  }

  async #check(
    { key, ask, asking }: { key: string; ask: ApprovalAsk; asking: TypedQuestion<unknown> },
    reply: unknown,
  ): Promise<Checked> {
    if (isPromptRequest(reply)) return asking.check(reply)
    const checked = checkReply(ask, reply)
    if (!checked.ok || !isObject(reply)) return checked
    const { persistent: _, ...plain } = reply
    const given = { key, whole: toJson(reply), plain: toJson(plain) }
    this.#given.add(given)
    try {
      return await asking.check(plain)
    } finally {
      this.#given.delete(given)
    }
  }

  /** Adds the permission of a reply to the store once: a removed one is not added again after a reload. */
  async #keep(key: string): Promise<void> {
    const { run, call, access } = this.#offering
    const { runId } = run.state
    const id = this.#latestId(key) ?? key
    const ask = questionOf(run.state, id, call)
    const value = noteOf(run.state, id, call) ?? null
    const allowed = ask && isPersistent(value) ? permissionBy({ ask, value, at: run.host.now() }) : undefined
    if (!allowed) return
    const add = (store: PermissionStore, agent: string) =>
      store.add(agent, { ...copyJson(allowed), id: `${runId}/${id}` })
    await this.#inner.once(`persistent/${id}`, async () => {
      await access(run, add)
      return null
    })
  }

  /** Returns the id under which this was asked last. */
  #latestId(key: string): string | undefined {
    const { run, call } = this.#offering
    const [latest] = idsOf(run.state, key, call)
    return latest
  }
}
