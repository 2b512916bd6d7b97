import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { fetchModel } from '../src/operations/fetch-model.ts'
import { FILES, MODEL, missingFile } from '../src/operations/model-files.ts'

let folder = ''
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'fetched-model-'))))
afterEach(() => rmSync(folder, { recursive: true }))

async function served<T>(answer: RequestListener, work: (url: string) => Promise<T>): Promise<T> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/model`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
const digest = (text: string): string => createHash('sha256').update(text).digest('hex')
const leftovers = (): string[] =>
  (existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String) : []).filter((path) => path.endsWith('.part'))

test('all files of the model are fetched, and told of while they come', async () => {
  const shares: number[] = []
  await served(
    (request, response) => response.setHeader('etag', `"${digest(request.url as string)}"`).end(request.url),
    (url) => fetchModel(url, folder, (share) => shares.push(share)),
  )
  assert.equal(missingFile(folder), undefined)
  for (const { path } of FILES) assert.equal(readFileSync(join(folder, MODEL, path), 'utf8'), `/model/${path}`)
  assert.equal(shares.at(-1), 1)
})

for (const [what, answer] of Object.entries<RequestListener>({
  'that is refused': (_request, response) => response.writeHead(404).end(),
  'whose connection breaks': (_request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('half')
    setImmediate(() => response.destroy())
  },
  'that is not what its checksum says': (_request, response) => response.setHeader('x-linked-etag', `"${digest('another')}"`).end('this'),
  'that is longer than it may be': (_request, response) => response.end(Buffer.alloc(200_000)),
})) {
  test(`a file ${what} is not there, nor is a part of it`, async () => {
    await served(answer, async (url) => {
      await assert.rejects(fetchModel(url, folder, () => undefined))
    })
    assert.match(missingFile(folder) as string, /config\.json$/)
    assert.deepEqual(leftovers(), [])
  })
}
