import assert from 'node:assert/strict'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { closed, definePlugin, defineTool, Type } from '@gateway/sdk'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { heardNotes, observedCalls, sample } from './sample-plugin.ts'

describe('the one path', () => {
  let gateway: TestGateway
  before(async () => {
    gateway = await startTestGateway({ plugins: [sample], env: { SAMPLE_WORD: 'good day' } })
  })
  after(() => gateway.stop())

  it('refuses an unknown name', () =>
    assert.rejects(gateway.call('nothing_here'), { code: 'UNKNOWN_TOOL', message: 'Unknown tool: nothing_here' }))

  it('binds collections to the caller’s tenant, whatever tenantId says', async () => {
    await gateway.call('put_note', { id: 'n1', text: 'mine', tenantId: 'acme' })
    await gateway.call('put_note', { id: 'n1', text: 'theirs' }, { as: { tenantId: 'acme' } })
    assert.deepEqual(await gateway.call('count_notes'), { count: 1 })
    assert.deepEqual(await gateway.call('count_notes', {}, { as: { tenantId: 'other' } }), { count: 0 })
  })

  it('gives settings from the environment, one service instance per call, contributions, and undefined for what is absent', async () => {
    const first = await gateway.call('greet')
    assert.deepEqual(
      { ...first, made: 0 },
      { text: 'good day local', shared: true, made: 0, gate: [{ name: 'gate of local' }], absent: true },
    )
    assert.notEqual((await gateway.call('greet')).made, first.made)
  })

  it('passes a declared error on and hides an undeclared one, naming its owner in the log', async () => {
    await assert.rejects(gateway.call('fail_declared'), { code: 'TOO_LATE', status: 409 })
    await assert.rejects(gateway.call('fail_undeclared'), { code: 'INTERNAL_ERROR', status: 500 })
    await assert.rejects(
      gateway.call('fail_bug'),
      (error: Error) => error.message !== 'secret detail' && (error as { code?: string }).code === 'INTERNAL_ERROR',
    )
    const line = gateway.logs.find((log) => log.operation === 'fail_bug')
    assert.equal(line?.plugin, 'sample')
  })

  it('takes a handler that stopped because it was told to for cancelled, not for broken', async () => {
    const signal = AbortSignal.abort(new Error('no longer wanted'))
    await assert.rejects(gateway.call('sleep', {}, { signal }), {
      code: 'CANCELLED',
      message: 'The call was cancelled: no longer wanted.',
    })
    const broken = gateway.logs.filter((log) => log.operation === 'sleep' && Number(log.level) >= 40)
    assert.deepEqual([broken, (await gateway.audit()).at(-1)?.decision], [[], 'CANCELLED'])
  })

  it('undoes the whole of an atomic write that throws', async () => {
    const before = await gateway.call('count_notes')
    await assert.rejects(gateway.call('half_done'), { code: 'TOO_LATE' })
    assert.deepEqual(await gateway.call('count_notes'), before)
  })

  it('hands events to listeners as system in the emitter’s tenant; a failing listener harms nobody', async () => {
    await gateway.call('put_note', { id: 'n2', text: 'listen' }, { as: { tenantId: 'acme' } })
    await gateway.restart()
    assert.ok(heardNotes.includes('acme system listen'))
    assert.ok(gateway.logs.some((log) => log.msg === 'a listener failed' && log.plugin === 'sample'))
  })

  it('runs a job over the caller’s reach: a tenant’s caller its own, the operator every tenant', async () => {
    const mine = await gateway.call('run_sweep', {}, { as: { tenantId: 'acme', kind: 'user', role: 'admin' } })
    assert.deepEqual(
      mine.runs.map((run: { tenantId: string }) => run.tenantId),
      ['acme'],
    )
    const all = await gateway.call('run_sweep')
    assert.deepEqual(all.runs.map((run: { tenantId: string }) => run.tenantId).sort(), ['acme', 'local'])
  })

  it('audits every write and its refusals, with named records, and no read', async () => {
    const before = (await gateway.audit('aud')).length
    assert.equal(before, 0)
    const as = { tenantId: 'aud' }
    await gateway.call('put_note', { text: 'x', id: 'n1' }, { as })
    await gateway.call('count_notes', {}, { as })
    await assert.rejects(gateway.call('put_note', { id: 'n1', text: 'x' }, { as }), { code: 'DUPLICATE_KEY' })
    await assert.rejects(gateway.call('put_note', { id: 'n1' }, { as }), { code: 'BAD_REQUEST' })
    const records = await gateway.audit('aud')
    assert.deepEqual(
      records.map(({ name, tool, decision }) => [name, tool, decision]),
      [
        ['tool.call', 'put_note', 'ok'],
        ['note.put', 'put_note', 'ok'],
        ['tool.call', 'put_note', 'DUPLICATE_KEY'],
        ['tool.call', 'put_note', 'BAD_REQUEST'],
      ],
    )
    assert.equal(records[0]?.argsDigest, records[2]?.argsDigest, 'the digest does not depend on the order of arguments')
  })

  it('writes nothing for a call that the audit trail could not record', async () => {
    let writes = 0
    const swallows = defineTool({
      name: 'swallow',
      description: 'Takes anything.',
      capability: 'work',
      effect: 'write',
      input: Type.Object({ any: Type.Unknown() }, closed),
      output: Type.Object({}, closed),
      async handle() {
        writes++
        return {}
      },
    })
    const plugin = definePlugin({ id: 'swallows', sdk: '^1.0.0', description: 'Has a tool that takes anything.', tools: [swallows] })
    await using other = await startTestGateway({ plugins: [plugin] })
    // No transport accepts a body nested this deep, but an in-process caller may pass one.
    let any: unknown
    for (let depth = 0; depth < 100_000; depth++) any = [any]
    await assert.rejects(other.call('swallow', { any }), { code: 'INTERNAL_ERROR' })
    assert.deepEqual([writes, await other.audit()], [0, []])
    await other.call('swallow', { any: [[]] })
    assert.deepEqual([writes, (await other.audit()).length], [1, 1])
  })

  it('does not call failed what is done and owed a record, and changes nothing more until that is written', async () => {
    await using other = await startTestGateway({ plugins: [sample], env: { SAMPLE_WORD: 'hi' } })
    const folder = join(other.dataDir, 'audit', 'local')
    await mkdir(dirname(folder), { recursive: true })
    await writeFile(folder, 'in the way')
    await assert.rejects(other.call('put_note', {}), { code: 'BAD_REQUEST' }, 'a refusal stays what it is')
    await other.call('put_note', { id: 'n1', text: 'done' })
    for (const id of ['n2', 'n3']) {
      await assert.rejects(other.call('put_note', { id, text: 'late' }), { code: 'UNAVAILABLE', message: /audit trail cannot be written/ })
    }
    assert.deepEqual(await other.call('count_notes'), { count: 1 })
    const health = async () => (await other.inject({ method: 'GET', url: '/health/deep' })).json().audit.status
    assert.equal(await health(), 'degraded')
    await rm(folder)
    await other.call('put_note', { id: 'n4', text: 'again' })
    assert.deepEqual(await other.call('count_notes'), { count: 2 })
    assert.equal(await health(), 'healthy')
    const calls = (await other.audit()).filter(({ name }) => name === 'tool.call')
    assert.deepEqual(
      calls.map(({ decision }) => decision),
      ['ok', 'ok'],
    )
  })

  it('tells observers of every call and its outcome', async () => {
    observedCalls.length = 0
    await gateway.call('count_notes')
    await gateway.call('fail_declared').catch(() => {})
    assert.deepEqual(
      observedCalls.map(({ tool, outcome }) => [tool, outcome]),
      [
        ['count_notes', 'ok'],
        ['fail_declared', 'TOO_LATE'],
      ],
    )
  })

  it('checks results against the output schema in tests', () => assert.rejects(gateway.call('lies'), { code: 'INTERNAL_ERROR' }))

  it('in shadow mode logs what would be refused and allows it, except operator-only tools', async () => {
    const as = { role: 'viewer', kind: 'user' } as const
    await gateway.call('needs_more', {}, { as })
    await gateway.call('put_note', { id: 'shadow', text: 'x' }, { as })
    assert.equal(gateway.logs.filter((log) => log.event === 'rbac.shadow').length, 2)
    await assert.rejects(gateway.call('operate', {}, { as }), { code: 'FORBIDDEN' })
    await gateway.call('operate')
  })

  it('when enforced, refuses before anything happens, naming the capability and a role that has it', async () => {
    await using strict = await startTestGateway({ plugins: [sample], env: { RBAC_ENFORCE: 'on' }, as: { role: 'viewer', kind: 'user' } })
    await assert.rejects(strict.call('put_note', { id: 'a', text: 'b' }), {
      code: 'FORBIDDEN',
      message: /put_note needs the capability work, which the role member has; the caller is viewer/,
    })
    await assert.rejects(strict.call('needs_more'), { code: 'FORBIDDEN' })
    assert.deepEqual(await strict.call('count_notes'), { count: 0 })
    assert.ok((await strict.audit()).some((record) => record.decision === 'FORBIDDEN'))
  })

  it('refuses calls once it is stopping', async () => {
    const other = await startTestGateway({ plugins: [sample] })
    await other.stop()
    await assert.rejects(other.call('count_notes'), { code: 'UNAVAILABLE', status: 503 })
  })
})
