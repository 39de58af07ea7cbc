import { expect, it } from 'vitest'
import { isOverflow } from '../retry.ts'

const failure = (message: string, status?: number) =>
  ({ code: 'model_failed', message, retryable: false, ...(status && { status }) }) as const

it.each([
  ['Anthropic', 'prompt is too long: 213462 tokens > 200000 maximum'],
  ['Anthropic, with the answer', 'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000'],
  ['OpenAI', 'Your input exceeds the context window of this model. Please adjust your input and try again.'],
  [
    'OpenAI, chat',
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
  ],
  ['Google', 'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).'],
  ['Bedrock', 'Input Tokens Exceeded: Number of input tokens exceeds maximum length.'],
  ['Bedrock, Claude', 'Input is too long for requested model.'],
  ['Perplexity', 'The total length of all messages is too long.'],
  ['Mistral', 'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length'],
  ['xAI', "This model's maximum prompt length is 131072 but the request contains 537812 tokens."],
  ['Groq', 'Please reduce the length of the messages or completion.'],
  ['Cohere', 'too many tokens: size limit exceeded by 19296 tokens.'],
  ['Together', "The input (70000 tokens) is longer than the model's context length (32768 tokens)."],
  ['llama.cpp', 'the request exceeds the available context size, try increasing it'],
  ['Kimi', 'Your request exceeded model token limit: 262144 (requested: 300000)'],
])('knows a prompt that is too long from the words of %s', (_, message) => {
  expect(isOverflow(failure(message, 400))).toBe(true)
})

it.each([
  ['requests', failure('Rate limit reached: too many tokens per minute.', 429)],
  ['throttling', failure('ThrottlingException: Too many tokens, please wait before trying again.')],
  ['output', failure('max_tokens is too large: 100000. This model supports at most 16384 completion tokens.')],
  ['quota', failure('You exceeded your current quota: input_token_count')],
  ['the key', failure('Incorrect API key provided.')],
  ['the tool', { ...failure('prompt is too long'), code: 'tool_failed' } as const],
])('does not mistake another limit for it: %s', (_, error) => {
  expect(isOverflow(error)).toBe(false)
})
