import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { post, request } from './rpc.ts'
import { talkFixture } from './talk-plugin.ts'
import { addTenants, SESSION_SECRET, userOf } from './tokens.ts'

let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ plugins: [talkFixture().plugin], listen: true, env: { GATEWAY_JWT_SECRET: SESSION_SECRET } })
  await addTenants(gateway, 'acme')
})
after(() => gateway.stop())

const prompt = { type: 'ref/prompt', name: 'talk_paint' }
const template = { type: 'ref/resource', uri: 'talk://colours/{colour}' }
const complete = async (params: object, headers: Record<string, string> = {}) =>
  (await post(gateway, request('completion/complete', params), headers)).json
const values = async (ref: object, name: string, value: string, more: object = {}, headers = {}) =>
  (await complete({ ref, argument: { name, value }, ...more }, headers)).result.completion

test('a variable of a template and an argument of a prompt are completed, for the caller’s tenant', async () => {
  assert.deepEqual(await values(template, 'colour', 'gr'), { values: ['green'], total: 1, hasMore: false })
  assert.deepEqual((await values(prompt, 'colour', 'x', {}, userOf('acme'))).values, ['acme x'])
})

test('at most a hundred values go out, with how many there are; the other arguments are taken into account', async () => {
  const { values: offered, total, hasMore } = await values(prompt, 'shade', 'd', { context: { arguments: { colour: 'red' } } })
  assert.deepEqual([offered.length, offered[0], offered[99], total, hasMore], [100, 'red d 0', 'red d 99', 250, true])
})

test('what has nothing to offer is completed with nothing', async () => {
  for (const [ref, name] of [
    [prompt, 'none'],
    [prompt, 'constructor'],
    [{ type: 'ref/resource', uri: 'talk://note' }, 'x'],
  ] as const) {
    assert.deepEqual(await values(ref, name, ''), { values: [], total: 0, hasMore: false })
  }
})

test('an unknown prompt or template, and malformed parameters, are -32602 and say what is wrong', async () => {
  const argument = { name: 'colour', value: '' }
  const cases: [object, RegExp][] = [
    [{ ref: { type: 'ref/prompt', name: 'none' }, argument }, /Unknown prompt: none/],
    [{ ref: { type: 'ref/resource', uri: 'talk://colours/red' }, argument }, /Unknown resource: talk:/],
    [{ ref: { type: 'ref/tool', name: 'x' }, argument }, /ref\.type must be ref\/prompt or ref\/resource/],
    [{ ref: { type: 'ref/prompt' }, argument }, /ref\.name must be a string; got nothing/],
    [{ ref: { type: 'ref/resource' }, argument }, /ref\.uri must be a string/],
    [{ argument }, /ref must be an object; got nothing/],
    [{ ref: prompt }, /argument must be an object/],
    [{ ref: prompt, argument: { name: 'colour' } }, /argument\.value must be a string/],
    [{ ref: prompt, argument, context: 7 }, /context must be an object/],
    [{ ref: prompt, argument, context: { arguments: [] } }, /context\.arguments must be an object/],
    [{ ref: prompt, argument, context: { arguments: { x: 7 } } }, /context\.arguments\.x must be a string/],
  ]
  for (const [params, expected] of cases) {
    const { error } = await complete(params)
    assert.equal(error.code, -32602)
    assert.match(error.message, expected)
  }
})
