import { expect, it } from 'vitest'
import { type Connection, nameOfKey, secret } from '../models/index.ts'
import { fromStored, toStored } from './storedConnection.ts'

const server = { type: 'server', url: 'http://127.0.0.1:1234/v1', modelId: 'small' } as const
const cloud = { type: 'openai', modelId: 'large', key: secret('sk-123'), route: 'direct' } as const

it('writes no key down', () => {
  const kept = [{ ...server, key: secret('sk-123') }, cloud].map(toStored)

  expect(JSON.stringify(kept)).not.toMatch(/sk-123|hidden|"key"/)
})

it.each<Connection>([{ type: 'demo' }, { type: 'builtIn' }, server])('restores %j as it was', (connection) => {
  expect(fromStored(toStored(connection), {})).toEqual({ connection, lacksKey: false })
})

it('takes the key that the page holds for the same host', () => {
  const restored = fromStored(toStored({ ...cloud, modelId: 'larger' }), { openai: cloud.key })

  expect(restored).toMatchObject({ connection: { modelId: 'larger', key: cloud.key }, lacksKey: false })
})

it('sends the key of one server to no other', () => {
  const key = secret('sk-123')
  const other = { ...server, url: 'http://127.0.0.1:9/v1', key }
  const keys = { [nameOfKey(other) ?? '']: key }

  expect(fromStored(toStored({ ...server, key: secret('mine') }), keys).lacksKey).toBe(true)
  expect(fromStored(toStored(cloud), keys).lacksKey).toBe(true)
  expect(fromStored(toStored(other), keys).connection).toEqual(other)
})
