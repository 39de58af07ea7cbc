export type EngineName = 'chromium' | 'firefox' | 'webkit'

export interface EngineOptions {
  /** Settings of Firefox, such as one that makes all its windows private. */
  readonly preferences?: Readonly<Record<string, unknown>>
}

/** A place in the window of a page, in CSS pixels. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** The name of an element for people who hear it: all of it, or what an expression finds. */
export type Name = string | RegExp

/** A running browser with an empty storage. */
export interface Engine {
  readonly name: EngineName
  readonly version: string
  /** The processes of the browser. */
  readonly pid: number
  /** Opens a tab in front of the others. */
  open(url: string): Promise<EnginePage>
  close(): Promise<void>
}

/** What each engine's own protocol does in a page. */
export interface PageProtocol {
  goto(url: string): Promise<void>
  /** Runs a function in the page. Its arguments and its result are JSON. */
  evaluate<A extends readonly unknown[], R>(action: (...args: A) => R, ...args: A): Promise<Awaited<R>>
  /** Returns the errors and warnings of the page's console so far. */
  problems(): Promise<readonly string[]>
  clickAt(point: Point): Promise<void>
  keyDown(key: string): Promise<void>
  keyUp(key: string): Promise<void>
  reload(): Promise<void>
  back(): Promise<void>
  forward(): Promise<void>
  /** Shows the tab, as a click on it does. */
  front(): Promise<void>
  /** Writes a picture of it to this file. */
  screenshot(file: string): Promise<void>
  close(): Promise<void>
}

/** A tab, and what a user does in it. */
export interface EnginePage extends PageProtocol {
  /** Waits until such an element can be clicked, and clicks it. */
  click(role: string, name?: Name): Promise<void>
  /** Waits until such an element is there, and can be seen. */
  find(role: string, name?: Name): Promise<void>
  /** Waits until the page shows this text. */
  see(text: string | RegExp): Promise<void>
  /** Waits until a function is true in the page. */
  until<A extends readonly unknown[]>(isSo: (...args: A) => unknown, ...args: A): Promise<void>
  type(text: string): Promise<void>
  /** Presses a key alone, or with others: `Tab`, `Control+Enter`. */
  press(keys: string): Promise<void>
  /** Kills the process that renders the page, as the system does if memory is short. */
  kill(): Promise<void>
}
