import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { changeFile } from '../src/operations/change-file.ts'

const PROGRAM = `
const { changeFile } = await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, '../src/operations/change-file.ts')).href)})
const [file, name, count] = process.argv.slice(1)
for (let at = 0; at < Number(count); at++) {
  await changeFile(file, (before) => before + name + ' ' + at + '\\n')
  process.stdout.write(at + '\\n')
}`

/** Starts another process that appends to the file line by line, and reports each line whose write was confirmed. */
function writer(file: string, name: string, count: number) {
  // Uses the same loader as this process.
  const child = spawn(
    process.execPath,
    [...process.execArgv.filter(isLoader), '--input-type=module', '-e', PROGRAM, file, name, String(count)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let told = ''
  child.stdout.on('data', (chunk) => (told += chunk))
  return {
    child,
    acknowledged: () =>
      told
        .split('\n')
        .slice(0, -1)
        .map((at) => `${name} ${at}`),
    exited: once(child, 'close'),
  }
}
const isLoader = (option: string, at: number, all: readonly string[]) =>
  /^--(import|conditions|require)/.test(option) || /^--(import|require)$/.test(all[at - 1] ?? '')

async function inFolder(work: (file: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-lock-'))
  try {
    await work(join(folder, 'STATE.md'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
const linesOf = async (file: string) => (await readFile(file, 'utf8')).trim().split('\n')

test('two processes that change one file lose nothing, nor what a third that was killed had been told is written', () =>
  inFolder(async (file) => {
    const [a, b, killed] = [writer(file, 'a', 40), writer(file, 'b', 40), writer(file, 'c', 100_000)]
    while (killed.acknowledged().length < 5) await once(killed.child.stdout, 'data')
    killed.child.kill('SIGKILL')
    await Promise.all([a.exited, b.exited, killed.exited])
    const lines = await linesOf(file)
    const expected = [...a.acknowledged(), ...b.acknowledged(), ...killed.acknowledged()]
    assert.ok(expected.length >= 85)
    assert.deepEqual(
      expected.filter((line) => !lines.includes(line)),
      [],
    )
    assert.equal(new Set(lines).size, lines.length, 'no line twice')
  }))

test('a lock of a process that is gone, or that was held for far too long, is taken over', () =>
  inFolder(async (file) => {
    const { child, exited } = writer(file, 'x', 0)
    await exited
    await writeFile(`${file}.lock`, JSON.stringify({ token: 't', pid: child.pid, host: hostname() }))
    await changeFile(file, () => 'one')
    await writeFile(`${file}.lock`, JSON.stringify({ token: 't', pid: process.pid, host: 'another' }))
    await utimes(`${file}.lock`, new Date(0), new Date(0))
    await changeFile(file, (before) => `${before} two`)
    assert.deepEqual(await linesOf(file), ['one two'])
  }))

test('what a kill left behind of taking a lock over is in nobody’s way', () =>
  inFolder(async (file) => {
    for (const name of [`${file}.lock`, `${file}.lock.over`]) {
      await writeFile(name, '')
      await utimes(name, new Date(0), new Date(0))
    }
    await changeFile(file, () => 'one')
    assert.deepEqual(await readdir(dirname(file)), ['STATE.md'])
  }))

test('what an editor writes while a change is being made is kept', () =>
  inFolder(async (file) => {
    await writeFile(file, 'mine\n')
    let calls = 0
    await changeFile(file, (before) => {
      if (++calls === 1) writeFileSync(file, 'the editor’s\n')
      return `${before}changed\n`
    })
    assert.deepEqual([calls, await readFile(file, 'utf8')], [2, 'the editor’s\nchanged\n'])
  }))
