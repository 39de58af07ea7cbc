/** Something to tell a person that belongs to no place of the page. */
export interface Notice {
  /** One with the same id takes its place. */
  readonly id: string
  readonly words: string
  readonly tone: 'plain' | 'good' | 'bad'
  /** What can be done about it. It stays until somebody closes it then, as one that tells of trouble does. */
  readonly action?: { readonly label: string; readonly run: () => unknown }
}
