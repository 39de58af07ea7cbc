/** Marks that begin a call, each with the one that ends it, if it has one. Their bodies are JSON or tags of their own. */
export const callTags: ReadonlyMap<string, string | undefined> = new Map([
  ['<tool_call>', '</tool_call>'],
  ['<function_call>', '</function_call>'],
  ['<function=', '</function>'],
  ['<invoke name=', '</invoke>'],
  ['<|tool_call|>', '<|/tool_call|>'],
  ['<|tool_call>', '<tool_call|>'],
  ['<|tool_call_begin|>', '<|tool_call_end|>'],
  ['<｜tool▁call▁begin｜>', '<｜tool▁call▁end｜>'],
  ['<|python_tag|>', '<|eom_id|>'],
  ['[TOOL_CALLS]', '</s>'],
])

export const callClosers: ReadonlySet<string> = new Set([...callTags.values()].filter((tag) => tag !== undefined))

/** Marks around several calls. They have no meaning of their own. */
export const callWrappers: ReadonlySet<string> = new Set([
  '<tool_calls>',
  '</tool_calls>',
  '<function_calls>',
  '</function_calls>',
  '<minimax:tool_call>',
  '</minimax:tool_call>',
  '<|tool_calls_section_begin|>',
  '<|tool_calls_section_end|>',
  '<｜tool▁calls▁begin｜>',
  '<｜tool▁calls▁end｜>',
])

/** Marks around the value of one argument, which is text and may hold any other mark. */
export const valueOpeners: ReadonlySet<string> = new Set(['<parameter', '<arg_value>'])
export const valueClosers: ReadonlySet<string> = new Set(['</parameter>', '</arg_value>'])

/** Marks that begin a turn of a template that is not the model's. */
export const turnTags: readonly string[] = [
  '<|im_start|>tool',
  '<|im_start|>user',
  '<|im_start|>system',
  '<|start_header_id|>tool',
  '<|start_header_id|>ipython',
  '<|start_header_id|>user',
  '<start_of_turn>user',
  '<|observation|>',
  '<|user|>',
  '[TOOL_RESULTS]',
]

/** Marks of an observation. If a model writes one itself, the rest is invented. */
export const observationTags: ReadonlySet<string> = new Set([
  ...turnTags,
  '<tool_response>',
  '<｜tool▁outputs▁begin｜>',
  '<｜tool▁output▁begin｜>',
  '<|im_system|>',
])

export const callMarks: readonly string[] = [
  ...callTags.keys(),
  ...callClosers,
  ...callWrappers,
  ...valueOpeners,
  ...valueClosers,
  ...observationTags,
]

export type ThinkName = 'think' | 'thinking'

/** A tag around reasoning, in lower or upper case. */
export interface ThinkTag {
  readonly name: ThinkName
  readonly isCloser: boolean
}

/** Returns the tag around reasoning that begins a text. It may have attributes. */
export function readThinkTag(text: string): (ThinkTag & { readonly length: number }) | undefined {
  const [tag, slash, name = ''] = /^<(\/?)(think(?:ing)?)(?:[ \t][^<>\r\n]{0,60})?>/i.exec(text) ?? []
  if (tag === undefined) return undefined
  return { name: name.length > 5 ? 'thinking' : 'think', isCloser: slash === '/', length: tag.length }
}

/** Returns whether a text may be the beginning of such a tag. */
export const mayBeThinkTag = (text: string): boolean =>
  /^<\/?(?:t|th|thi|thin|think|thinki|thinkin|thinking|think(?:ing)?[ \t][^<>\r\n]{0,60})?$/i.test(text)

/** The maximum length of a tag around reasoning. */
export const longestThinkTag = 72
