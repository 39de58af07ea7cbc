import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isPublicAddress } from './address.ts'

it.each([
  ['9.255.255.255', '10.0.0.0'],
  ['11.0.0.0', '10.255.255.255'],
  ['100.63.255.255', '100.64.0.0'],
  ['100.128.0.0', '100.127.255.255'],
  ['172.15.255.255', '172.16.0.0'],
  ['172.32.0.0', '172.31.255.255'],
  ['192.167.255.255', '192.168.0.0'],
  ['169.253.255.255', '169.254.0.0'],
  ['198.17.255.255', '198.18.0.0'],
  ['223.255.255.255', '224.0.0.0'],
  ['2001:200::', '2001:1ff:ffff::'],
  ['2001:db9::', '2001:db8::'],
  ['2003::', '2002::'],
  ['[2606:4700::1111]', '[64:ff9b::8.8.8.8]'],
])('knows %s from %s', (open, closed) => {
  expect([isPublicAddress(open), isPublicAddress(closed)]).toEqual([true, false])
})

it.each([
  '',
  '8.8.8',
  '8.8.8.8.8',
  '08.8.8.8',
  '256.1.1.1',
  '2606::1::1',
  '2606:1',
  '2606::12345',
  'fe80::1%eth0',
  'example.com',
])('takes %s for none', (text) => {
  expect(isPublicAddress(text)).toBe(false)
})

it('knows an address of version 6 however it is written', () => {
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      const written = new URL(`http://[${address}]/`).hostname

      expect(isPublicAddress(address)).toBe(isPublicAddress(written))
    }),
  )
})
