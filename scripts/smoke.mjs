/**
 * Imports every entry of every built package, then starts the built service as a user would, with `npm start` on a free port and
 * an
 * empty data folder, and makes one call over each transport; then ends npm. Proves facts that no test from source can: the build
 * is
 * complete, the command starts it, and ending npm ends the gateway.
 */
import assert from 'node:assert/strict'
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { root, workspaces } from './workspaces.mjs'

/** It refuses to run outside of a thread, and the refusal proves that it was loaded. */
const THREAD = '@gateway/storage-sqlite/heavy-worker'

for (const entry of workspaces().flatMap(entriesOf)) {
  if (entry.endsWith('/helper')) {
    await startsAsProgram(entry)
    continue
  }
  const loading = import(entry)
  if (entry === THREAD) await assert.rejects(loading, /worker thread only/)
  else assert.ok(Object.keys(await loading).length > 0, `${entry} exports something`)
}

const port = await freePort()
const url = `http://127.0.0.1:${port}`
const dataDir = mkdtempSync(join(tmpdir(), 'gateway-smoke-'))
const service = spawn('npm', ['start', '--silent'], {
  cwd: root,
  env: { PATH: process.env.PATH, HOME: dataDir, GATEWAY_PORT: String(port), GATEWAY_DATA_DIR: dataDir, GATEWAY_LOG_LEVEL: 'warn' },
  stdio: ['ignore', 'inherit', 'inherit'],
})
const exited = once(service, 'exit')

try {
  await healthy()
  const added = await post('/mcp', {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'tasks_create', arguments: { repo: 'smoke', title: 'Try the service', priority: 'P1' } },
  })
  const { taskId } = added.result.structuredContent.task
  const claimed = await post('/api/tools/tasks_claim', { repo: 'smoke', claimedBy: 'smoke' })
  assert.equal(claimed.task.taskId, taskId, 'REST claims the task that MCP added')
} finally {
  const gateway = JSON.parse(readFileSync(join(dataDir, 'process', 'owner.json'), 'utf8')).pid
  service.kill('SIGTERM')
  const [code, signal] = await exited
  assert.throws(() => process.kill(gateway, 0), { code: 'ESRCH' }, 'with npm the gateway has ended')
  rmSync(dataDir, { recursive: true, force: true })
  assert.equal(code, 0, `the service stops cleanly on SIGTERM (exit code ${code}, signal ${signal})`)
}
console.log('smoke: started, added over MCP, claimed over REST, stopped')

/** @param {string} workspace */
function entriesOf(workspace) {
  const { name, exports = {} } = JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8'))
  return Object.keys(exports).map((path) => name + path.slice(1))
}

/**
 * Checks a program that is started and not imported. It may lack its caller's input, but no part of the build.
 * @param {string} program
 */
async function startsAsProgram(program) {
  const helper = fork(fileURLToPath(import.meta.resolve(program)), { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  const said = text(helper.stderr)
  helper.disconnect()
  await once(helper, 'exit')
  assert.doesNotMatch(await said, /ERR_MODULE_NOT_FOUND|ERR_PACKAGE|SyntaxError/, program)
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

async function healthy() {
  for (const deadline = Date.now() + 20_000; ; ) {
    const response = await fetch(`${url}/health`).catch(() => undefined)
    if (response?.status === 200) return
    if (service.exitCode !== null || Date.now() > deadline) throw new Error(`the service is not healthy at ${url}/health`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function post(path, body) {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(body),
  })
  const answer = await response.text()
  assert.equal(response.status, 200, `POST ${path} answered ${response.status}: ${answer}`)
  return JSON.parse(answer)
}
