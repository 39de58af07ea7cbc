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

/** Marks of an observation. If a model writes one itself, the rest is invented. */
export const observationTags: ReadonlySet<string> = new Set([
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

/** Marks around reasoning, also in capitals. */
export const thinkOpeners: readonly string[] = ['<think>', '<thinking>']
export const thinkClosers: readonly string[] = ['</think>', '</thinking>']
export const thinkTags: readonly string[] = [...thinkOpeners, ...thinkClosers].flatMap((tag) => [
  tag,
  tag.toUpperCase(),
  tag.replace('t', 'T'),
])
