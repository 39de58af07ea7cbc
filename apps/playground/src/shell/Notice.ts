/** Something to tell a person that belongs to no place of the page. */
export interface Notice {
  /** One with the same id takes its place. */
  readonly id: string
  readonly words: string
  readonly tone: 'plain' | 'good' | 'bad'
  /** The action that it offers. Such a notice stays until the user closes it, as one about a problem does. */
  readonly action?: { readonly label: string; readonly run: () => unknown }
}
