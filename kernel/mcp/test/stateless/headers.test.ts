import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import fc from 'fast-check'
import { send, talk } from '../../../http/test/requests.ts'
import { decodeHeader } from '../../src/stateless/header-values.ts'
import { type Asked, ask, body, call, headersOf, TASKS } from './requests.ts'
import { statelessFixture } from './stateless-plugin.ts'

let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ plugins: [statelessFixture().plugin], listen: true })
})
after(() => gateway.stop())

const base64 = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`
/** Encodes a value like a client: plain if a header can hold it and it cannot be mistaken for an encoded one. */
const encode = (text: string): string =>
  /^(?:[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?)?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text) ? text : base64(text)

async function refuses(asked: Asked, why: RegExp): Promise<void> {
  const { status, json } = await ask(gateway, { id: 'h', ...asked })
  assert.deepEqual([status, json.id, json.error?.code], [400, 'h', -32020], JSON.stringify(asked))
  assert.match(json.error.message, why)
}

test('the version header must be there and be the version of the body', async () => {
  await refuses({ method: 'tools/list', headers: { 'mcp-protocol-version': undefined } }, /MCP-Protocol-Version is missing/)
  await refuses({ method: 'tools/list', headers: { 'mcp-protocol-version': '2025-11-25' } }, /MCP-Protocol-Version is "2025-11-25"/)
  // A difference between header and body is checked before the version.
  const unknown = { 'io.modelcontextprotocol/protocolVersion': 'v999.0.0' }
  await refuses({ method: 'tools/list', meta: unknown }, /the body has "v999\.0\.0"/)
})

test('Mcp-Method must be the method, letter for letter, before the method is looked up', async () => {
  for (const method of ['tools/list', 'unknown/method']) {
    await refuses({ method, headers: { 'mcp-method': undefined } }, /Mcp-Method is missing/)
    for (const other of ['prompts/list', method.toUpperCase(), base64(method), ''])
      await refuses({ method, headers: { 'mcp-method': other } }, /Mcp-Method is/)
  }
})

test('Mcp-Name must be what the request is about', async () => {
  const tasks = { extensions: { [TASKS]: {} } }
  const cases: Asked[] = [
    { method: 'tools/call', params: { name: 'era_echo' } },
    { method: 'tools/call', params: { name: 'no_such_tool' } },
    { method: 'prompts/get', params: { name: 'era_plain' } },
    { method: 'resources/read', params: { uri: 'era://readme' } },
    ...['tasks/get', 'tasks/update', 'tasks/cancel'].map((method) => ({ method, params: { taskId: 'x' }, capabilities: tasks })),
  ]
  for (const asked of cases) {
    for (const name of [undefined, 'other', 'ERA_ECHO', '', '=?base64?!!!?='])
      await refuses({ ...asked, headers: { 'mcp-name': name } }, /Mcp-Name is/)
    const subject = headersOf(asked)['mcp-name'] as string
    for (const name of [subject, base64(subject), `  ${subject}\t`]) {
      const { json } = await ask(gateway, { ...asked, headers: { 'mcp-name': name } })
      assert.notEqual(json.error?.code, -32020, name)
    }
  }
})

test('methods that are about nothing need no Mcp-Name, and removed ones of tasks neither', async () => {
  for (const method of ['tools/list', 'server/discover']) {
    assert.equal((await ask(gateway, { method, headers: { 'mcp-name': 'whatever' } })).status, 200)
  }
  assert.equal((await ask(gateway, { method: 'tasks/result', params: { taskId: 'x' }, headers: { 'mcp-name': undefined } })).status, 404)
})

test('the names of headers may be in any case of letters, and spaces around a value do not count', async () => {
  const asked = { method: 'tools/call', params: { name: 'era_echo', arguments: {} } }
  const lines = Object.entries({ ...headersOf(asked), 'MCP-METHOD': '  tools/call\t ', 'mCp-NaMe': ' era_echo ' })
    .filter(([name]) => name !== 'mcp-method' && name !== 'mcp-name')
    .map(([name, value]) => `${name}: ${value}`)
  const text = JSON.stringify(body(asked))
  const { host } = new URL(gateway.url)
  const head = ['POST /mcp HTTP/1.1', `host: ${host}`, 'connection: close', `content-length: ${text.length}`, ...lines].join('\r\n')
  assert.match(await talk(gateway.url, `${head}\r\n\r\n${text}`), /^HTTP\/1\.1 200 /)
  const twice = `${head}\r\nmcp-name: era_greet\r\n\r\n${text}`
  assert.match(await talk(gateway.url, twice), /^HTTP\/1\.1 400 [^]*-32020/, 'two values are none')
  const bytes = Buffer.from(`${head.replace(' era_echo ', 'era_ech\u00f6')}\r\n\r\n${text}`, 'latin1')
  assert.match(await talk(gateway.url, bytes), /^HTTP\/1\.1 400 [^]*-32020/, 'no header holds bytes beyond ASCII')
})

test('names that no header can hold are encoded', async () => {
  for (const uri of ['era://é', ' era://x ', 'era://a\nb', base64('era://readme')]) {
    const asked = { method: 'resources/read', params: { uri } }
    const { json } = await ask(gateway, { ...asked, headers: { 'mcp-name': base64(uri) } })
    assert.deepEqual([json.error.code, json.error.data], [-32602, { uri }])
  }
  const looksEncoded = base64('era://readme')
  await refuses({ method: 'resources/read', params: { uri: looksEncoded } }, /Mcp-Name is/)
})

const region = (value: string | undefined, header: string | undefined): Asked => ({
  method: 'tools/call',
  params: { name: 'era_echo', arguments: { region: value } },
  headers: { 'mcp-param-region': header },
})

test('an annotated argument must be repeated in its header', async () => {
  const accepted: [string | undefined, string | undefined][] = [
    ['Hello', 'Hello'],
    ['Hello', '=?base64?SGVsbG8=?='],
    ['SGVsbG8=', 'SGVsbG8='],
    // Without its end the marker means nothing.
    ['=?base64?SGVsbG8=', '=?base64?SGVsbG8='],
    ['SGVsbG8=?=', 'SGVsbG8=?='],
    ['=?base64?=', '=?base64?='],
    ['=?BASE64?SGVsbG8=?=', '=?BASE64?SGVsbG8=?='],
    ['', ''],
    ['', '=?base64??='],
    ['two words', 'two words'],
    ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
    [' padded ', '=?base64?IHBhZGRlZCA=?='],
    ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
    ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
    [undefined, undefined],
  ]
  for (const [value, header] of accepted) {
    const { status, json } = await ask(gateway, region(value, header))
    assert.deepEqual([status, json.result?.structuredContent?.args.region], [200, value], String(header))
  }
  const refused: [string | undefined, string | undefined][] = [
    ['Hello', undefined],
    ['Hello', 'hello'],
    ['Hello', ''],
    ['Hello', '=?base64?SGVsbG8?='],
    ['Hello', '=?base64?SGVs!!!bG8=?='],
    ['Hello', '=?base64?SGVsbG8==?='],
    ['Hello', '=?base64? SGVsbG8=?='],
    // The same bytes, but bits after their end are set.
    ['Hello', '=?base64?SGVsbG9=?='],
    ['\ufffd', '=?base64?/w==?='],
    ['=?base64?SGVsbG8=?=', '=?base64?SGVsbG8=?='],
    [undefined, 'Hello'],
  ]
  for (const [value, header] of refused) await refuses(region(value, header), /Mcp-Param-Region is/)
})

test('null counts as absent', async () => {
  const { status, json } = await call(gateway, 'era_echo', { region: null })
  assert.deepEqual([status, json.result.isError, json.result.structuredContent.region], [200, undefined, undefined])
})

test('numbers are compared as numbers, booleans as words, and nested arguments by their path', async () => {
  const good: [object, Record<string, string>][] = [
    [{ count: 42 }, { 'mcp-param-count': '42' }],
    [{ count: 42 }, { 'mcp-param-count': '42.0' }],
    [{ count: -7 }, { 'mcp-param-count': '-7' }],
    [{ count: 0 }, { 'mcp-param-count': '=?base64?MA==?=' }],
    [{ count: 9_007_199_254_740_991 }, { 'mcp-param-count': '9007199254740991' }],
    [{ flag: true }, { 'mcp-param-flag': 'true' }],
    [{ flag: false }, { 'mcp-param-flag': 'false' }],
    [{ place: { city: 'Rome' } }, { 'mcp-param-place-city': 'Rome' }],
    [{ place: {} }, {}],
  ]
  for (const [args, headers] of good) {
    const { json } = await call(gateway, 'era_echo', args, { headers })
    assert.deepEqual(json.result?.structuredContent?.args, args, JSON.stringify(headers))
  }
  const bad: [object, Record<string, string>][] = [
    [{ count: 42 }, {}],
    [{ count: 42 }, { 'mcp-param-count': '43' }],
    [{ count: 42 }, { 'mcp-param-count': '0x2a' }],
    [{ count: 42 }, { 'mcp-param-count': '42.5' }],
    [{ count: 42 }, { 'mcp-param-count': '' }],
    [{ count: 9_007_199_254_740_992 }, { 'mcp-param-count': '9007199254740993' }],
    [{ flag: true }, { 'mcp-param-flag': 'TRUE' }],
    [{ flag: true }, { 'mcp-param-flag': '1' }],
    [{ place: { city: 'Rome' } }, {}],
    [{ place: { city: 'Rome' } }, { 'mcp-param-place-city': 'Paris' }],
    [{ region: { deep: 1 } }, { 'mcp-param-region': '[object Object]' }],
  ]
  for (const [args, headers] of bad)
    await refuses({ method: 'tools/call', params: { name: 'era_echo', arguments: args }, headers }, /Mcp-Param-/)
})

test('headers of arguments that are not annotated are ignored', async () => {
  const { status } = await call(gateway, 'era_echo', { id: 'x' }, { headers: { 'mcp-param-id': 'y', 'mcp-param-unknown': 'é' } })
  assert.equal(status, 200)
  assert.equal((await call(gateway, 'no_such_tool', {}, { headers: { 'mcp-param-region': 'x' } })).json.error.code, -32602)
})

test('a page of an allowed origin may send them', async () => {
  const asked = 'content-type,mcp-method,Mcp-Param-Region, mcp-param-place-city,x-other'
  const { status, headers } = await send(`${gateway.url}/mcp`, {
    method: 'OPTIONS',
    headers: { origin: gateway.url, 'access-control-request-headers': asked, 'access-control-request-method': 'POST' },
  })
  const allowed = headers.get('access-control-allow-headers')?.toLowerCase().split(', ') ?? []
  assert.equal(status, 204)
  for (const name of ['mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-param-region', 'mcp-param-place-city'])
    assert.ok(allowed.includes(name), name)
  assert.ok(!allowed.includes('x-other'))
})

test('whatever a client encodes by the rules is decoded to what it was, and has no other spelling', () => {
  // Half of a surrogate pair has no UTF-8.
  const text = fc.string({ unit: 'binary' }).filter((one) => !/\p{Surrogate}/u.test(one))
  const likely = fc.oneof(text, fc.string(), text.map(base64), fc.constantFrom('', ' ', '\t', '=?base64?', '?=', '=?base64??='))
  fc.assert(
    fc.property(likely, (value) => {
      assert.equal(decodeHeader(encode(value)), value)
      assert.equal(decodeHeader(base64(value)), value)
    }),
    { numRuns: 2_000 },
  )
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'ABCDwxyz0189+/=-_ ?!') }), (inner) => {
      const decoded = decodeHeader(`=?base64?${inner}?=`)
      assert.ok(decoded === undefined || base64(decoded) === `=?base64?${inner}?=`)
    }),
    { numRuns: 5_000 },
  )
})
