/** A key that shows itself only when asked to: not in JSON, not in a log, not in a template. */
export interface Secret {
  reveal(): string
  toJSON(): string
  toString(): string
}

/** Keeps a key in memory, out of whatever gets printed or stored by accident. */
export function secret(value: string): Secret {
  const hidden = (): string => '[hidden]'
  return Object.freeze({ reveal: () => value, toJSON: hidden, toString: hidden })
}
