import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closed, type ObjectSchema, plainLine, Type } from '@gateway/sdk'
import { argumentsValidator, explain, lazyValidator } from '../src/index.ts'

const Chat = Type.Object({ kind: Type.Literal('chat'), room: Type.String() }, closed)
const Hook = Type.Object({ kind: Type.Literal('hook'), url: Type.String({ minLength: 1 }) }, closed)
const channels = Type.Object({ channels: Type.Record(Type.String(), Type.Union([Chat, Hook])) }, closed)

const refuses = (schema: ObjectSchema, args: object, message: RegExp): void =>
  assert.throws(() => argumentsValidator(schema)(args), { code: 'BAD_REQUEST', message })

test('the fault of a union is that of the branch its literal selects, of arguments and of settings', () => {
  refuses(channels, { channels: { x: { kind: 'mail' } } }, /`channels\.x\.kind` must be one of chat, hook; got "mail"/)
  refuses(channels, { channels: { x: {} } }, /`channels\.x\.kind` is missing/)
  refuses(channels, { channels: { x: { kind: 'hook', url: '' } } }, /`channels\.x\.url` must have at least 1 character/)
  refuses(channels, { channels: { x: { kind: 'chat' } } }, /`channels\.x\.room` is missing/)
  const fault = lazyValidator(channels)({ channels: { x: { kind: 'mail' } } })
  assert.equal(fault && explain(fault).field, 'channels.x.kind')
})

test('an unknown argument is answered with the known one that was meant', () => {
  const call = Type.Object({ tool: Type.String(), arguments: Type.Optional(Type.Object({})) }, closed)
  refuses(call, { name: 'tasks_list' }, /`name` is not known here; known are: tool, arguments\. Did you mean `tool`\?/)
  const task = Type.Object({ taskId: Type.String(), title: Type.Optional(Type.String()) }, closed)
  refuses(task, { task_id: 'a' }, /`task_id` is not known here.*Did you mean `taskId`\?/)
  refuses(task, { taskId: 'a', titel: 'b' }, /`titel` is not known here.*Did you mean `title`\?/)
  refuses(task, { taskId: 'a', colour: 'b' }, /known are: taskId, title\.$/)
  refuses(task, {}, /`taskId` is missing\.$/)
})

test('an integer that JSON.parse rounds is refused by name', () => {
  const ids = Type.Object({ id: Type.Integer(), more: Type.Optional(Type.Array(Type.Integer())) }, closed)
  for (const id of ['9007199254740993', '-9007199254740993', '12345678901234567890'])
    refuses(ids, JSON.parse(`{"id":${id}}`), /`id` must be a whole number that JSON carries exactly/)
  refuses(ids, JSON.parse('{"id":1,"more":[9007199254740992]}'), /`more\[0\]` must be a whole number that JSON carries exactly/)
  assert.deepEqual(argumentsValidator(ids)({ id: Number.MAX_SAFE_INTEGER }), { id: Number.MAX_SAFE_INTEGER })
})

test('a broken text rule is said in words', () => {
  const named = Type.Object({
    name: Type.String({ rule: plainLine }),
    key: Type.String({ pattern: '^a{1,3}$', rule: { must: 'be 1 to 3 a' } }),
  })
  refuses(named, { name: 'a\nb', key: 'a' }, /`name` must be one line without control characters and not blank; got "a\\nb"/)
  refuses(named, { name: 'a', key: 'b' }, /`key` must be 1 to 3 a; got "b"/)
})
